import { doubleBackslashes, doubleBeforeJava } from '@/lib/model/text/double-backslashes';
import { isJavaString, JAVA_BYTES, JAVA_STRING } from '@/lib/model/text/java-string';

/**
 * The display form of a key, from its identity (base64url of the bytes), for cases in which the server cannot be asked.
 * Valid UTF-8 is kept; control characters and other bytes become `\xhh`. This is the same form as the names in
 * snapshots (lib/model/keys/display-name.ts), which a browser cannot load.
 */
/** Identity of the key with the empty name, which base64url cannot express (lib/model/key-id). */
const EMPTY = '~';

export function decodeK(k: string): Uint8Array {
  if (k === EMPTY) return new Uint8Array();
  const text = atob(toBase64(k));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const toHexEscape = (byte: number) => `\\x${byte.toString(16).padStart(2, '0')}`;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeSequence(bytes: Uint8Array, at: number): string | null {
  const lead = bytes[at] ?? 0;
  const size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (size === 0 || at + size > bytes.length) return null;
  try {
    return strict.decode(bytes.subarray(at, at + size));
  } catch {
    return null;
  }
}

export const formatK = (k: string): string => displayBytes(decodeK(k));

export const displayBytes = (bytes: Uint8Array): string =>
  isJavaString(bytes) ? JAVA_STRING + toPlainForm(bytes.subarray(JAVA_BYTES)) : doubleBeforeJava(toPlainForm(bytes));

function toPlainForm(bytes: Uint8Array): string {
  let name = '';
  let plain = '';
  for (let at = 0; at < bytes.length; ) {
    const text = decodeSequence(bytes, at);
    const size = text === null ? 1 : new TextEncoder().encode(text).length;
    const code = text?.codePointAt(0) ?? 0;
    const shown = text !== null && code >= 0x20 && !(code >= 0x7f && code <= 0x9f);
    if (shown) plain += text;
    else {
      name += doubleBackslashes(plain, true) + [...bytes.subarray(at, at + size)].map(toHexEscape).join('');
      plain = '';
    }
    at += size;
  }
  return name + doubleBackslashes(plain, false);
}

/** Base64 in the alphabet that terminals and `redis-cli` scripts expect. */
export function toBase64(k: string): string {
  if (k === EMPTY) return '';
  const text = k.replaceAll('-', '+').replaceAll('_', '/');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}
