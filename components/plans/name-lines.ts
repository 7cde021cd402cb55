/**
 * Names for the clipboard, one per line. `raw` are the names themselves; a name with a line break, or with bytes that
 * are no text, is no line: those are counted, not changed. `escaped` are arguments as redis-cli reads them: quoted
 * where they need it, every other byte as `\\xhh`; each line is exactly one name again.
 */
export interface NameLines {
  text: string;
  /** Names that have no line of their own. */
  left: number;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function rawLines(names: readonly Uint8Array[]): NameLines {
  const lines: string[] = [];
  for (const bytes of names) {
    try {
      const name = strict.decode(bytes);
      if (name !== '' && !/[\n\r\0]/.test(name)) lines.push(name);
    } catch {
      // Counted below.
    }
  }
  return { text: lines.join('\n'), left: names.length - lines.length };
}

export const escapedLines = (names: readonly Uint8Array[]): NameLines => ({
  text: names.map(redisCliArgument).join('\n'),
  left: 0,
});

const PLAIN = /^[A-Za-z0-9_.:{}[\]()/@+,=~!?*%^&|;<>-]+$/;
const SHORT: Record<number, string> = { 10: '\\n', 13: '\\r', 9: '\\t', 34: '\\"', 92: '\\\\' };

function redisCliArgument(bytes: Uint8Array): string {
  const latin1 = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  if (PLAIN.test(latin1)) return latin1;
  const escaped = (byte: number) =>
    SHORT[byte] ??
    (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`);
  return `"${Array.from(bytes, escaped).join('')}"`;
}
