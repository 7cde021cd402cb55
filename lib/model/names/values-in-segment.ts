import { formatKindToken, KINDS } from './written-segment';

/**
 * Values within a segment: what follows `=` in the query of a URL, and the quoted values of JSON. What is written there
 * is a value by its place, also if it looks like a word. Values without letters keep their own forms: `page={int}`.
 *
 * JSON is usually divided by the delimiter: `{"q":"red","at":"17b"}` has the segments `{"q"`, `"red","at"` and `"17b"}`.
 * Therefore quoted text at the beginning of a segment is a value if a comma or a bracket follows. A word in quotes
 * (`"red"`) is not, and neither is a value that contains the delimiter or an escaped quote.
 */
const TOKEN = `\\{(?:${KINDS.join('|')})\\}`;
/** Beyond ASCII, everything counts as a letter. */
const LETTERS = 'A-Za-z\u0080-\u{10ffff}';

/** A value with at least one letter outside the ids in it, which are replaced before. `ends` are the signs that end it. */
const buildValuePattern = (ends: string) =>
  `(?:[^{}${ends}${LETTERS}]|${TOKEN})*[${LETTERS}](?:[^{}${ends}]|${TOKEN})*`;

const IN_QUOTES = buildValuePattern('"');
const text = formatKindToken('text');

/** They are replaced last. The same form as the ids of fold-segment.ts. */
export const VALUES = [
  { token: text, pattern: `([?&][^?&=#"{}]+=)${buildValuePattern('&#"')}()`, passes: 1 },
  { token: text, pattern: `(": ?")${IN_QUOTES}(")`, passes: 1 },
  { token: text, pattern: `(^ ?")${IN_QUOTES}("[,}\\]])`, passes: 1 },
] as const;

/** Matches every text with such a value. */
export const MAY_HAVE_VALUE = '[?&][^=]*=|"[^"]*"';
