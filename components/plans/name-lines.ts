/**
 * Names for the clipboard, one per line. `raw` copies the names themselves; a name that contains a line break or bytes
 * that are not text does not fit on a line, so it is counted instead of changed. `escaped` writes arguments as
 * redis-cli reads them: quoted where necessary, every other byte as `\\xhh`; each line reads back as exactly one name.
 */
export interface NameLines {
  text: string;
  /** Number of names that were left out. */
  left: number;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function toRawLines(names: readonly Uint8Array[]): NameLines {
  const lines: string[] = [];
  for (const bytes of names) {
    try {
      const name = strict.decode(bytes);
      if (name !== '' && !/[\n\r\0]/.test(name)) lines.push(name);
    } catch {
      // Names that were left out are counted below.
    }
  }
  return { text: lines.join('\n'), left: names.length - lines.length };
}

export const toEscapedLines = (names: readonly Uint8Array[]): NameLines => ({
  text: names.map(escapeForRedisCli).join('\n'),
  left: 0,
});

const PLAIN = /^[A-Za-z0-9_.:{}[\]()/@+,=~!?*%^&|;<>-]+$/;
const SHORT: Record<number, string> = { 10: '\\n', 13: '\\r', 9: '\\t', 34: '\\"', 92: '\\\\' };

function escapeForRedisCli(bytes: Uint8Array): string {
  const latin1 = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  if (PLAIN.test(latin1)) return latin1;
  const escapeByte = (byte: number) =>
    SHORT[byte] ??
    (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`);
  return `"${Array.from(bytes, escapeByte).join('')}"`;
}
