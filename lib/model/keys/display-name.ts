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
export interface DisplayName {
  name: string;
  exact: boolean;
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const BACKSLASH = 0x5c;
const HEX = Array.from({ length: 256 }, (_, byte) => `\\x${byte.toString(16).padStart(2, '0')}`);

export function toDisplayName(bytes: Buffer): DisplayName {
  // Nearly every name is printable ASCII, and this runs for every key of a scan.
  const { length } = bytes;
  let at = 0;
  while (at < length) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) break;
    at++;
  }
  if (at === length) return { name: bytes.toString('latin1', 0, length), exact: true };
  if (isJavaString(bytes)) return { name: JAVA_STRING + toPlainForm(bytes.subarray(JAVA_BYTES), 0).name, exact: false };
  const { name, exact } = toPlainForm(bytes, at);
  const shown = doubleBeforeJava(name);
  return { name: shown, exact: exact && shown === name };
}

/** `printable` is the number of bytes of printable ASCII at the beginning. */
function toPlainForm(bytes: Buffer, printable: number): DisplayName {
  const name = bytes.toString('utf8');
  if (isDecoded(name, bytes) && !CONTROL.test(name)) {
    const shown = doubleBackslashes(name, false);
    return { name: shown, exact: shown === name };
  }
  return { name: escapeBytes(bytes, printable), exact: false };
}

/**
 * Decoding puts U+FFFD where the bytes are not UTF-8; only encoding again distinguishes it from a U+FFFD in the name.
 */
function isDecoded(text: string, bytes: Buffer): boolean {
  return !text.includes('\ufffd') || Buffer.from(text).equals(bytes);
}

/**
 * Returns the length of a well-formed UTF-8 sequence that begins at `at`; 0 = there is none (RFC 3629, no surrogates).
 */
function measureSequence(bytes: Buffer, at: number): number {
  const lead = bytes[at] as number;
  const size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (size === 0 || at + size > bytes.length) return 0;
  const sequence = bytes.subarray(at, at + size);
  return size === 1 || isDecoded(sequence.toString('utf8'), sequence) ? size : 0;
}

function escapeBytes(bytes: Buffer, printable: number): string {
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
    text += doubleBackslashes(bytes.toString('utf8', plainFrom, at), true);
    const end = at + Math.max(size, 1);
    for (; at < end; at++) text += HEX[bytes[at] as number];
    plainFrom = at;
  }
  return text + doubleBackslashes(bytes.toString('utf8', plainFrom, at), false);
}
