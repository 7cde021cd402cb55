/**
 * The smallest text that is greater than every text beginning with `prefix`, in code point order (which is the byte
 * order of UTF-8, which is how names are sorted). null: no such text, the range is open at its end.
 */
export function nextPrefix(prefix: string): string | null {
  const points = Array.from(prefix, (c) => c.codePointAt(0)!);
  while (points.length > 0) {
    const last = points.pop()!;
    if (last >= 0x10ffff) continue;
    // Surrogates are no characters: after U+D7FF comes U+E000.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return null;
}
