/** Names for the clipboard, one per line. */
export interface NameLines {
  text: string;
  /** Number of names that are not in the text. */
  omitted: number;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The names themselves. Names that contain a line break or bytes that are not text do not fit on a line and are
 * omitted.
 */
export function toRawLines(names: readonly Uint8Array[]): NameLines {
  const lines: string[] = [];
  for (const bytes of names) {
    try {
      const name = utf8.decode(bytes);
      if (name !== '' && !/[\n\r\0]/.test(name)) lines.push(name);
    } catch {
      // It is counted among the omitted names below.
    }
  }
  return { text: lines.join('\n'), omitted: names.length - lines.length };
}

/**
 * Arguments as redis-cli reads them: quoted where necessary, bytes that are not printable ASCII as `\\xhh`. redis-cli
 * reads each line as exactly one name.
 */
export const toEscapedLines = (names: readonly Uint8Array[]): NameLines => ({
  text: names.map(escapeForRedisCli).join('\n'),
  omitted: 0,
});

/** Names that need no quotes. */
const PLAIN = /^[A-Za-z0-9_.:{}[\]()/@+,=~!?*%^&|;<>-]+$/;
/** Short escapes by byte. */
const SHORT: Record<number, string> = { 10: '\\n', 13: '\\r', 9: '\\t', 34: '\\"', 92: '\\\\' };

function escapeForRedisCli(bytes: Uint8Array): string {
  const latin1 = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  if (PLAIN.test(latin1)) return latin1;
  const escapeByte = (byte: number) =>
    SHORT[byte] ??
    (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`);
  return `"${Array.from(bytes, escapeByte).join('')}"`;
}
