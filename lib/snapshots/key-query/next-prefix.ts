/**
 * Returns the smallest text that is greater than every text beginning with `prefix`, in code point order (which is the
 * byte order of UTF-8 and the order of names). null: there is none, so the range has no end.
 */
export function findNextPrefix(prefix: string): string | null {
  const characters = Array.from(prefix);
  while (characters.length > 0) {
    const last = characters.pop()!.codePointAt(0)!;
    if (last >= 0x10ffff) continue;
    // Surrogates are not characters: U+E000 follows U+D7FF.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return characters.join('') + String.fromCodePoint(next);
  }
  return null;
}
