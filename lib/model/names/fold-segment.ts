/**
 * Computes the folded form of one segment. It depends on the segment alone, so `user:{int}:` means the same keys in
 * every report. Whether ids are *shown* folded depends on how many there are (lib/snapshots/reports/tree/tree.ts).
 *
 * 1. A segment that is an id as a whole is replaced: `17` → `{int}`; the braces of a hash tag around it stay: `{17}` →
 *    `{{int}}`.
 * 2. Otherwise ids that are joined to words by any sign or a space are replaced: `user_17` → `user_{int}`,
 *    `job-2024-01-15` → `job-{date}`, `{user_17}` → `{user_{int}}`, `10.0.0.1` → `{int}.{int}.{int}.{int}`,
 *    `views/products/17-20261101` → `views/products/{int}-{date}`, `order list 2020 9` → `order list {int} {int}`,
 *    `/cart?id=17` → `/cart?id={int}`. Scripts that are written without spaces join as well: `用户17` → `用户{int}`. The
 *    `T` and the `Z` of a time may follow a date and a number: `2026-11-20T10:30:33Z` → `{date}T{int}:{int}:{int}Z`.
 * 3. Values in a URL or in JSON are replaced if they contain a letter (values-in-segment.ts): `?q=red%20shoes` →
 *    `?q={text}`, `"q": "17b"` → `"q": "{text}"`.
 * 4. Six digits or more at the end of a word are replaced: `SO000960957304` → `SO{int}`. They are never a date, so that
 *    numbers of one kind are not split into two kinds.
 *
 * Fewer digits within a word are not an id (`ipv4`, `s3`, `sha256`, `iso27001`). A number that is joined is an id
 * however short it is: `utf-8` is `utf-{int}` and `v1.2` is `v1.{int}`, because nothing distinguishes them from
 * `user-8`, and the tree shows them unfolded while there are few. E-mail addresses, base64 and JSON Web Tokens contain
 * the joining characters themselves, so they are ids only as a whole. An id of few hex digits, or of few letters and
 * digits, cannot be distinguished from a word: `b1` may be a building, `a1b2c3d4` a version and `ISO27001` a standard.
 * So the groups of an IPv6 or MAC address stay unchanged where the delimiter separates them, and so do short order
 * numbers. Eight hex digits that happen to be all 0–9 are a number.
 *
 * A name may really contain `{int}`: it is then written with a backslash before it, or with one more if it has
 * backslashes before it, and is a literal. Both directions are exact: a backslash does not join, so a token is never
 * taken for an escaped one.
 *
 * A percent sign does not join: in encoded names it precedes digits that are not a number (`a%2017`). Neither does the
 * backslash after the mark of a Java string: the first word of such a name is not folded.
 */

import { escapeForClass } from '../text/escape-regex';
import { detectSegmentKind, ID_KINDS, POD_SIGNS } from './id-kinds';
import { VALUES } from './values-in-segment';
import { escapeSegment, formatKindToken } from './written-segment';

const JOINING = ' !"#$&\'()*+,/:;<=>?@[]^_`{|}~.-';
/** Chinese, Japanese, Korean, and full-width signs. */
const WITHOUT_SPACES = '\u2e80-\u{10ffff}';

const buildClass = (signs: string) => `[${escapeForClass(signs).replace("'", '\\x27')}${WITHOUT_SPACES}]`;

/** A character class for RE2 and JavaScript that can be used in a literal of SQL. */
export const JOINTS = buildClass(JOINING);
/** The class without one sign, which does not join ids because it separates segments. */
export const buildJointsWithout = (sign: string) => buildClass(JOINING.replace(sign, ''));

/** The end of an id. */
export const ID_END = `(?:$|${JOINTS})`;
/** The end of a number or a date. */
const NUMBER_END = `Z?${ID_END}`;

/**
 * At least eight hex digits of one case, at least one of them 0–9: this must be in the pattern, because a part of a
 * segment gets no further check.
 */
const JOINED_HEX = ['a-f', 'A-F']
  .flatMap((letters) => [
    ...Array.from({ length: 8 }, (_, i) => `[${letters}]{${i}}[0-9][0-9${letters}]{${7 - i},}`),
    `[${letters}]{8,}[0-9][0-9${letters}]*`,
  ])
  .join('|');
/**
 * A group of `size` hex digits in which `first` is the position of the first 0–9; none is required if `first` is
 * outside.
 */
function buildHexGroup(size: number, first: number): string {
  const letters = Math.max(0, Math.min(size, first));
  const has = first >= 0 && first < size;
  return `[a-fA-F]{${letters}}${has ? '[0-9]' : ''}[0-9a-fA-F]{${size - letters - (has ? 1 : 0)}}`;
}
const UUID_GROUPS = [8, 4, 4, 4, 12];
/** At least one of its hex digits is 0–9, for the same reason. */
const JOINED_UUID = Array.from({ length: 32 }, (_, first) => {
  let from = 0;
  return UUID_GROUPS.map((size) => {
    const group = buildHexGroup(size, first - from);
    from += size;
    return group;
  }).join('-');
}).join('|');
/** The same condition as for a whole segment of this kind. */
const JOINED_ALNUM = ['a-z', 'A-Z']
  .flatMap((letters) => Array.from({ length: 23 }, (_, i) => `[${letters}]{${i}}[0-9][0-9${letters}]{${23 - i},}`))
  .join('|');
/** Two words without vowels are what Kubernetes appends only if they are as long as most of what it appends. */
const POD_OF_LETTERS = '[b-df-hj-np-tv-xz]{9,10}-[b-df-hj-np-tv-xz]{5}';
/** Matches what Kubernetes appends to the name of a pod. Two numbers are not one. */
function buildPodPattern(): string {
  const letter = '[b-df-hj-np-tv-xz]';
  const digit = '[24-9]';
  const mixed = [
    [digit, letter],
    [letter, digit],
  ].flatMap(([first, other]) =>
    Array.from({ length: 9 }, (_, i) => `${first}{${i + 1}}${other}${POD_SIGNS}{${Math.max(0, 6 - i)},${8 - i}}`),
  );
  const end = Array.from({ length: 5 }, (_, i) => `${letter}{${i}}${digit}${POD_SIGNS}{${4 - i}}`);
  return `(?:${mixed.join('|')})-${POD_SIGNS}{5}|${letter}{8,10}-(?:${end.join('|')})|${POD_OF_LETTERS}`;
}

/**
 * Patterns for ids within a segment, with the text before and after them as groups 1 and 2, in the order in which they
 * are replaced: the digits of a date must not become numbers, hex must contain a letter, and digits at the end of a
 * word are only what remains. `passes` is two if neighbouring ids share the character between them.
 */
export interface JoinedId {
  token: string;
  pattern: string;
  passes: 1 | 2;
}
const buildJoinedId = (token: string, pattern: string, end = ID_END): JoinedId => ({
  token,
  pattern: `(^|${JOINTS})(?:${pattern})(${end})`,
  passes: 2,
});
const POD: JoinedId = { token: formatKindToken('alnum'), pattern: `(-)(?:${buildPodPattern()})(${ID_END})`, passes: 1 };
/** `20261120T1030`: it is replaced first, because otherwise the digits of both parts would become numbers. */
const TIME = buildJoinedId(
  `${formatKindToken('date')}T${formatKindToken('int')}`,
  `${ID_KINDS.date.pattern}T[0-9]{2}(?:[0-9]{2}){0,2}`,
  NUMBER_END,
);
const IN_WORD: JoinedId = {
  token: formatKindToken('int'),
  pattern: `((?:^|${JOINTS})[0-9A-Za-z]*[A-Za-z])[0-9]{6,}(${ID_END})`,
  passes: 2,
};
export const JOINED_NUMBERS = [buildJoinedId(formatKindToken('int'), ID_KINDS.int.pattern, NUMBER_END)];
export const JOINED_COMMON = [
  buildJoinedId(formatKindToken('uuid'), JOINED_UUID),
  buildJoinedId(formatKindToken('date'), ID_KINDS.date.pattern, NUMBER_END),
  ...JOINED_NUMBERS,
  buildJoinedId(formatKindToken('hex'), `${JOINED_HEX}|0x[0-9a-fA-F]+`),
];
export const JOINED = [POD, TIME, ...JOINED_COMMON, buildJoinedId(formatKindToken('alnum'), JOINED_ALNUM), IN_WORD];

/** A letter that cannot be in a hash: it is not a hex digit, or has another case than an earlier one. */
const NO_HEX = '(?:[g-zG-Z]|[a-f][0-9]*[A-F]|[A-F][0-9]*[a-f])';
/** Matches every text with a number at the end of a word. */
export const MAY_END_WORD = `${NO_HEX}(?:[0-9A-Za-z]*[A-Za-z])?[0-9]{6}|(?:^|[^0-9A-Za-z])[A-Fa-f][0-9]{6}(?:$|[^0-9A-Za-z])`;
export const MAY_BE_POD = `-${POD_SIGNS}{8,10}-${POD_SIGNS}{5}`;
/** Matches segments that can fold: they contain a digit, an `@`, a value, or the letters of a pod. */
export const MAY_FOLD = `[0-9@="]|-${POD_OF_LETTERS}`;
export const MAY_BE_TIME = '[0-9]T[0-9]{2}';
/** If this does not match, `JOINED_COMMON` is sufficient. */
export const RARE_IDS = `[0-9a-z]{24}|[0-9A-Z]{24}|${MAY_END_WORD}|${MAY_BE_POD}|${MAY_BE_TIME}`;

const JOINED_REGEX = [...JOINED, ...VALUES].map(({ token, pattern, passes }) => ({
  ids: new RegExp(pattern, 'gu'),
  replacement: `$1${token}$2`,
  passes,
}));

const MAY_FOLD_REGEX = new RegExp(MAY_FOLD);

/** Returns the form of a segment that contains ids; null if it contains only words. */
export function foldSegment(segment: string): string | null {
  if (!MAY_FOLD_REGEX.test(segment)) return null;
  const kind = detectSegmentKind(segment);
  if (kind !== null) return formatKindToken(kind);
  const inner = segment.startsWith('{') && segment.endsWith('}') ? detectSegmentKind(segment.slice(1, -1)) : null;
  if (inner !== null) return `{${formatKindToken(inner)}}`;
  const literal = escapeSegment(segment);
  let form = literal;
  for (const { ids, replacement, passes } of JOINED_REGEX)
    for (let pass = 0; pass < passes; pass++) form = form.replace(ids, replacement);
  return form === literal ? null : form;
}
