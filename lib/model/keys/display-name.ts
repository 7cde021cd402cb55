import { doubleBackslashes, doubleBeforeJava } from '@/lib/model/text/double-backslashes';
import { isJavaString, JAVA_BYTES, JAVA_STRING } from '@/lib/model/text/java-string';

/**
 * The display form of names, values and everything else that Redis stores as bytes: valid UTF-8 unchanged, control
 * characters (C0, DEL, C1) and bytes that are not UTF-8 as `\xhh`. No two names have the same form: if a name really
 * contains the four characters `\x00`, the backslashes before the `x` are doubled, as are those directly before an
 * escaped byte. Other backslashes are unchanged, because most names with one contain class names (`App\Models`). A
 * string serialised by Java is `\java\` and the form of its text (lib/model/text/java-string.ts). `exact` = the text is
 * the exact UTF-8 decoding of the bytes, so that encoding it again gives the same bytes.
 */
interface DisplayName {
  name: string;
  exact: boolean;
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const BACKSLASH = 0x5c;
const HEX = Array.from({ length: 256 }, (_, byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Runs on the server for every key of a scan, and in the browser for keys of which only the id is known. */
export function toDisplayName(bytes: Uint8Array): DisplayName {
  // Nearly every name is printable ASCII.
  const { length } = bytes;
  let at = 0;
  while (at < length) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) break;
    at++;
  }
  if (at === length) return { name: decoder.decode(bytes), exact: true };
  if (isJavaString(bytes)) return { name: JAVA_STRING + toPlainForm(bytes.subarray(JAVA_BYTES), 0).name, exact: false };
  const { name, exact } = toPlainForm(bytes, at);
  const shown = doubleBeforeJava(name);
  return { name: shown, exact: exact && shown === name };
}

/** `printable` is the number of bytes of printable ASCII at the beginning. */
function toPlainForm(bytes: Uint8Array, printable: number): DisplayName {
  const name = decoder.decode(bytes);
  // Decoding puts U+FFFD where the bytes are not UTF-8, but a name may also contain it.
  if (!name.includes('\ufffd') && !CONTROL.test(name)) {
    const shown = doubleBackslashes(name, false);
    return { name: shown, exact: shown === name };
  }
  return escapeBytes(bytes, printable);
}

const FIRST_CONTINUATION: Readonly<Record<number, readonly [from: number, to: number]>> = {
  ...{ 224: [0xa0, 0xbf], 237: [0x80, 0x9f], 240: [0x90, 0xbf], 244: [0x80, 0x8f] },
};

/**
 * Returns the length of a well-formed UTF-8 sequence that begins at `at`; 0 = there is none (RFC 3629, no surrogates).
 */
function measureSequence(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] as number;
  const size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (at + size > bytes.length) return 0;
  for (let i = 1; i < size; i++) {
    const [from, to] = (i === 1 && FIRST_CONTINUATION[lead]) || [0x80, 0xbf];
    const byte = bytes[at + i] as number;
    if (byte < from || byte > to) return 0;
  }
  return size;
}

function escapeBytes(bytes: Uint8Array, printable: number): DisplayName {
  const decodeText = (from: number, to: number) => decoder.decode(bytes.subarray(from, to));
  let text = '';
  let plainFrom = 0;
  let at = printable;
  while (at < bytes.length) {
    const size = measureSequence(bytes, at);
    const lead = bytes[at] as number;
    const control = size === 1 ? lead < 0x20 || lead === 0x7f : size === 2 && lead === 0xc2 && bytes[at + 1]! < 0xa0;
    if (size > 0 && !control) {
      at += size;
      continue;
    }
    text += doubleBackslashes(decodeText(plainFrom, at), true);
    const end = at + Math.max(size, 1);
    for (; at < end; at++) text += HEX[bytes[at] as number];
    plainFrom = at;
  }
  const rest = doubleBackslashes(decodeText(plainFrom, at), false);
  // Nothing was escaped in a name that contains U+FFFD itself.
  return { name: text + rest, exact: plainFrom === 0 && rest === decodeText(0, at) };
}
