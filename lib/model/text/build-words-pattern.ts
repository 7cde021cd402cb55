import { escapeRegex } from './escape-regex';

const SIGN = /[._-]/;
/** `id_card` also matches `id.card` and `id-card`. */
const matchAnySign = (word: string) => word.split(SIGN).map(escapeRegex).join('[._-]');
const capitalize = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);
/** `id_card` also matches `idCard`. */
const toCamel = (word: string) => word.replace(/[._-]+([a-z])/g, (_all, letter: string) => letter.toUpperCase());
/** `id_card` also matches `IDCard`, because its first part may be an abbreviation. */
const toAbbreviation = (word: string) => {
  const [first, ...rest] = word.split(SIGN);
  return first!.toUpperCase() + rest.map(capitalize).join('');
};

/**
 * Builds an RE2 pattern for names that contain one of these words in any of the usual spellings; null if there are no
 * words. A word begins where no letter precedes it, or with a capital after a small letter; it ends where no small
 * letter follows. Parts of a word are joined by any sign or by a capital. An abbreviation, which has no vowel, may be
 * in capitals after a small letter (`userPWD`, `userPWDHash`).
 */
export function buildWordsPattern(words: readonly string[]): string | null {
  const lower = words.map((word) => word.trim().toLowerCase()).filter((word) => word !== '');
  if (lower.length === 0) return null;
  // Chinese is written without spaces, so such a word may be anywhere in the name.
  const unspaced = lower.filter((word) => /[^\x20-\x7e]/.test(word));
  const spelled = lower.filter((word) => !unspaced.includes(word));
  const joined = spelled.filter((word) => /[A-Z]/.test(toCamel(word)));
  const abbreviations = spelled.filter((word) => /^[b-df-hj-np-tv-xz]+$/.test(word));
  const buildAlternatives = (of: readonly string[], ...forms: ((word: string) => string)[]) =>
    [...new Set(forms.flatMap((form) => of.map((word) => matchAnySign(form(word)))))].join('|');
  const keepWord = (word: string) => word;
  const toUpper = (word: string) => word.toUpperCase();
  const toCamelCapital = (word: string) => capitalize(toCamel(word));
  return [
    ...(unspaced.length > 0 ? [`(?:${buildAlternatives(unspaced, keepWord)})`] : []),
    ...(joined.length > 0
      ? [
          `(?:^|[^A-Za-z])(?:${buildAlternatives(joined, toCamel, toCamelCapital, toAbbreviation)})s?(?:[^a-z]|$)`,
          `[a-z](?:${buildAlternatives(joined, toCamelCapital, toAbbreviation)})s?(?:[^a-z]|$)`,
        ]
      : []),
    ...(spelled.length > 0
      ? [
          `(?:^|[^A-Za-z])(?:${buildAlternatives(spelled, keepWord, capitalize)})s?(?:[^a-z]|$)`,
          `[a-z0-9](?:${buildAlternatives(spelled, capitalize)})s?(?:[^a-z]|$)`,
          `(?:^|[^A-Za-z])(?:${buildAlternatives(spelled, toUpper)})S?(?:[^A-Za-z]|$)`,
        ]
      : []),
    ...(abbreviations.length > 0
      ? [`[a-z](?:${buildAlternatives(abbreviations, toUpper)})s?(?:[^A-Za-z]|[A-Z][a-z]|$)`]
      : []),
  ].join('|');
}
