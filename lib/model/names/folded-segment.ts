import { ID_KINDS, POD_SIGNS, segmentKind } from './id-kinds';
import { escapeSegment, kindToken } from './written-segment';

/**
 * The folded form of one segment, which depends on the segment alone: `user:{int}:` means the same keys wherever it is
 * asked. Whether ids are *shown* folded depends on how many there are (lib/reports/tree/tree.ts).
 *
 * 1. A segment that is an id as a whole: `17` → `{int}`; the braces of a hash tag around it stay: `{17}` → `{{int}}`.
 * 2. Else ids that are joined to words by any sign or a space: `user_17` → `user_{int}`, `job-2024-01-15` →
 *    `job-{date}`, `{user_17}` → `{user_{int}}`, `10.0.0.1` → `{int}.{int}.{int}.{int}`, `views/products/17-20261101` →
 *    `views/products/{int}-{date}`, `order list 2020 9` → `order list {int} {int}`, `/cart?id=17` → `/cart?id={int}`.
 *    Scripts that are written without spaces join as well: `用户17` → `用户{int}`. The `T` and the `Z` of a moment may
 *    stand behind a date and a number: `2026-11-20T10:30:33Z` → `{date}T{int}:{int}:{int}Z`.
 * 3. Six digits or more at the end of a word: `SO000960957304` → `SO{int}`. They are never a date, so that numbers of
 *    one kind do not part in two.
 *
 * Fewer digits within a word are no id (`ipv4`, `s3`, `sha256`, `iso27001`). A number that is joined is one however
 * short it is: `utf-8` is `utf-{int}` and `v1.2` is `v1.{int}`, because nothing tells them from `user-8`, and the tree
 * shows them as they stand while there are few. E-mail addresses, base64 and JSON Web Tokens hold the joining
 * characters themselves, so they are ids as a whole only. Nothing tells an id of few hex digits, or of few letters and
 * digits, from a word: the groups of an IPv6 address stand as they are.
 *
 * A name may really hold `{int}`: written with a backslash before it, and with one more where there are backslashes, it
 * is a literal. Both directions are exact: what joins is no backslash, so a token is never taken for an escaped one.
 *
 * A percent sign joins nothing: in encoded names it stands before digits that are no number (`a%2017`). Nor does the
 * backslash behind the mark of a string of Java: the first word of such a name is not folded.
 */
const JOINING = ' !"#$&\'()*+,/:;<=>?@[]^_`{|}~.-';
/** Chinese, Japanese, Korean, and the signs of their width. */
const WITHOUT_SPACES = '\u2e80-\u{10ffff}';

const classOf = (signs: string) => `[${signs.replace(/[[\]^-]/g, '\\$&').replace("'", '\\x27')}${WITHOUT_SPACES}]`;

/** As a class for RE2 and JavaScript that may stand in a literal of SQL. */
export const JOINTS = classOf(JOINING);
/** Without one sign, which does not join where it parts segments. */
export const jointsBut = (sign: string) => classOf(JOINING.replace(sign, ''));

/** Where an id ends. */
export const ID_END = `(?:$|${JOINTS})`;
/** Where a number or a date ends. */
export const NUMBER_END = `Z?${ID_END}`;

/** At least eight hex digits of one case with one of 0–9 among them: nothing but the pattern is asked of a part. */
const JOINED_HEX = ['a-f', 'A-F']
  .flatMap((letters) => [
    ...Array.from({ length: 8 }, (_, i) => `[${letters}]{${i}}[0-9][0-9${letters}]{${7 - i},}`),
    `[${letters}]{8,}[0-9][0-9${letters}]*`,
  ])
  .join('|');
/** `size` hex digits of which the one at `first` is the first 0–9, or none where that lies beyond an end. */
function hexGroup(size: number, first: number): string {
  const letters = Math.max(0, Math.min(size, first));
  const has = first >= 0 && first < size;
  return `[a-fA-F]{${letters}}${has ? '[0-9]' : ''}[0-9a-fA-F]{${size - letters - (has ? 1 : 0)}}`;
}
const UUID_GROUPS = [8, 4, 4, 4, 12];
/** With one of 0–9 among its hex digits, for the same reason. */
const JOINED_UUID = Array.from({ length: 32 }, (_, first) => {
  let from = 0;
  return UUID_GROUPS.map((size) => {
    const group = hexGroup(size, first - from);
    from += size;
    return group;
  }).join('-');
}).join('|');
/** As the kind is as a whole. */
const JOINED_ALNUM = ['a-z', 'A-Z']
  .flatMap((letters) => Array.from({ length: 23 }, (_, i) => `[${letters}]{${i}}[0-9][0-9${letters}]{${23 - i},}`))
  .join('|');
/**
 * What Kubernetes puts behind the name of a pod. It holds a letter and a digit: two numbers are none, nor are two words
 * without vowels.
 */
function podPattern(): string {
  const letter = '[b-df-hj-np-tv-xz]';
  const digit = '[24-9]';
  const mixed = [
    [digit, letter],
    [letter, digit],
  ].flatMap(([first, other]) =>
    Array.from({ length: 9 }, (_, i) => `${first}{${i + 1}}${other}${POD_SIGNS}{${Math.max(0, 6 - i)},${8 - i}}`),
  );
  const end = Array.from({ length: 5 }, (_, i) => `${letter}{${i}}${digit}${POD_SIGNS}{${4 - i}}`);
  return `(?:${mixed.join('|')})-${POD_SIGNS}{5}|${letter}{8,10}-(?:${end.join('|')})`;
}

/**
 * Ids within a segment, with what stands before and behind them as groups 1 and 2, in the order in which they are
 * replaced: the digits of a date are no numbers, hex digits are what holds a letter, and what is left at the end of a
 * word is no part of either. `passes`: two where neighbours share the character between them.
 */
export interface JoinedId {
  token: string;
  pattern: string;
  passes: 1 | 2;
}
const between = (token: string, pattern: string, end = ID_END): JoinedId => ({
  token,
  pattern: `(^|${JOINTS})(?:${pattern})(${end})`,
  passes: 2,
});
const POD: JoinedId = { token: kindToken('alnum'), pattern: `(-)(?:${podPattern()})(${ID_END})`, passes: 1 };
/** `20261120T1030`: before the digits of both are numbers. */
const TIME = between(
  `${kindToken('date')}T${kindToken('int')}`,
  `${ID_KINDS.date.pattern}T[0-9]{2}(?:[0-9]{2}){0,2}`,
  NUMBER_END,
);
const IN_WORD: JoinedId = {
  token: kindToken('int'),
  pattern: `((?:^|${JOINTS})[0-9A-Za-z]*[A-Za-z])[0-9]{6,}(${ID_END})`,
  passes: 2,
};
export const JOINED_NUMBERS = [between(kindToken('int'), ID_KINDS.int.pattern, NUMBER_END)];
export const JOINED_COMMON = [
  between(kindToken('uuid'), JOINED_UUID),
  between(kindToken('date'), ID_KINDS.date.pattern, NUMBER_END),
  ...JOINED_NUMBERS,
  between(kindToken('hex'), `${JOINED_HEX}|0x[0-9a-fA-F]+`),
];
export const JOINED = [POD, TIME, ...JOINED_COMMON, between(kindToken('alnum'), JOINED_ALNUM), IN_WORD];

/** A letter that is none of a hash: no hex digit, or of another case than one before. */
const NO_HEX = '(?:[g-zG-Z]|[a-f][0-9]*[A-F]|[A-F][0-9]*[a-f])';
/** Found in every text with a number at the end of a word. */
export const MAY_END_WORD = `${NO_HEX}(?:[0-9A-Za-z]*[A-Za-z])?[0-9]{6}|(?:^|[^0-9A-Za-z])[A-Fa-f][0-9]{6}(?:$|[^0-9A-Za-z])`;
export const MAY_BE_POD = `-${POD_SIGNS}{8,10}-${POD_SIGNS}{5}`;
export const MAY_BE_TIME = '[0-9]T[0-9]{2}';
/** Where it is not found, `JOINED_COMMON` are enough. */
export const RARE_IDS = `[0-9a-z]{24}|[0-9A-Z]{24}|${MAY_END_WORD}|${MAY_BE_POD}|${MAY_BE_TIME}`;

const JOINED_REGEX = JOINED.map(({ token, pattern, passes }) => ({
  ids: new RegExp(pattern, 'gu'),
  replacement: `$1${token}$2`,
  passes,
}));

/** The form of a segment that holds ids; null for words. */
export function foldedSegment(segment: string): string | null {
  if (!/[0-9@]/.test(segment)) return null;
  const kind = segmentKind(segment);
  if (kind !== null) return kindToken(kind);
  const inner = segment.startsWith('{') && segment.endsWith('}') ? segmentKind(segment.slice(1, -1)) : null;
  if (inner !== null) return `{${kindToken(inner)}}`;
  if (!/[0-9]/.test(segment)) return null;
  const literal = escapeSegment(segment);
  let form = literal;
  for (const { ids, replacement, passes } of JOINED_REGEX)
    for (let pass = 0; pass < passes; pass++) form = form.replace(ids, replacement);
  return form === literal ? null : form;
}
