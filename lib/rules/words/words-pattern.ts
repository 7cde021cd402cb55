const literal = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
/** `id_card` is written `idCard` too. */
const camel = (word: string) => word.replace(/[._-]+([a-z])/g, (_all, letter: string) => letter.toUpperCase());
const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/**
 * RE2 for names that speak of one of these words, in any of the usual spellings. A word begins where no letter is before
 * it, or with a capital behind a small letter; it ends where no small letter follows. One of two is also joined by a
 * capital (`idCard` of `id_card`).
 */
export function wordsPattern(words: readonly string[]): string | null {
  const lower = words.map((word) => word.trim().toLowerCase()).filter((word) => word !== '');
  if (lower.length === 0) return null;
  // Chinese is written without spaces: such a word is looked for anywhere.
  const unspaced = lower.filter((word) => /[^\x20-\x7e]/.test(word));
  const spelled = lower.filter((word) => !unspaced.includes(word));
  const any = (form: (word: string) => string) => spelled.map((word) => literal(form(word))).join('|');
  const joined = [...new Set(spelled.map(camel))].filter((word) => /[A-Z]/.test(word));
  const anyJoined = (form: (word: string) => string) => joined.map((word) => literal(form(word))).join('|');
  return [
    ...(unspaced.length > 0 ? [`(?:${unspaced.map(literal).join('|')})`] : []),
    ...(joined.length > 0
      ? [
          `(?:^|[^A-Za-z])(?:${anyJoined((w) => w)}|${anyJoined(capital)})s?(?:[^a-z]|$)`,
          `[a-z](?:${anyJoined(capital)})s?(?:[^a-z]|$)`,
        ]
      : []),
    ...(spelled.length === 0 ? [] : wordForms(any)),
  ].join('|');
}

function wordForms(any: (form: (word: string) => string) => string): string[] {
  return [
    `(?:^|[^A-Za-z])(?:${any((w) => w)}|${any(capital)})s?(?:[^a-z]|$)`,
    `[a-z0-9](?:${any(capital)})s?(?:[^a-z]|$)`,
    `(?:^|[^A-Za-z])(?:${any((w) => w.toUpperCase())})S?(?:[^A-Za-z]|$)`,
  ];
}
