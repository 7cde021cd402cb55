const PER_LINE = 16;

/** Formats bytes like `hexdump -C`: offset, sixteen bytes, and which of them are printable ASCII. */
export function hexText(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += PER_LINE) {
    const part = [...bytes.subarray(at, at + PER_LINE)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(4, '0')}  ${hex.padEnd(PER_LINE * 3 - 1)}  ${ascii}`);
  }
  return lines.join('\n');
}
