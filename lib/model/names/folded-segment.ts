import { ID_KINDS, segmentKind } from './id-kinds';
import { escapeSegment, kindToken } from './written-segment';

/**
 * The folded form of one segment, which depends on the segment alone: `user:{int}:` means the same keys wherever it is
 * asked. Whether ids are *shown* folded depends on how many there are (lib/reports/tree/tree.ts).
 *
 * 1. A segment that is an id as a whole: `17` → `{int}`; the braces of a hash tag around it stay: `{17}` → `{{int}}`.
 * 2. Else ids that are joined to words by any sign or a space: `user_17` → `user_{int}`, `job-2024-01-15` →
 *    `job-{date}`, `{user_17}` → `{user_{int}}`, `10.0.0.1` → `{int}.{int}.{int}.{int}`, `views/products/17-20261101` →
 *    `views/products/{int}-{date}`, `order list 2020 9` → `order list {int} {int}`, `/cart?id=17` → `/cart?id={int}`.
 *
 * Digits within a word are no id (`ipv4`, `s3`, `sha256`). A number that is joined is one however short it is: `utf-8`
 * is `utf-{int}` and `v1.2` is `v1.{int}`, because nothing tells them from `user-8`, and the tree shows them as they
 * stand while there are few. E-mail addresses and base64 hold the joining characters themselves, so they are ids as a
 * whole only.
 *
 * A name may really hold `{int}`: written with a backslash before it, and with one more where there are backslashes, it
 * is a literal. Both directions are exact: what joins is no backslash, so a token is never taken for an escaped one.
 *
 * A percent sign joins nothing: in encoded names it stands before digits that are no number (`a%2017`).
 */
const JOINING = ' !"#$&\'()*+,/:;<=>?@[]^_`{|}~.-';

const classOf = (signs: string) => `[${signs.replace(/[[\]^-]/g, '\\$&').replace("'", '\\x27')}]`;

/** As a class for RE2 and JavaScript that may stand in a literal of SQL. */
export const JOINTS = classOf(JOINING);
/** Without one sign, which does not join where it parts segments. */
export const jointsBut = (sign: string) => classOf(JOINING.replace(sign, ''));

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
/** In this order: the digits of a date are no numbers, and hex digits are what holds a letter. */
export const JOINED = (
  [
    ['uuid', JOINED_UUID],
    ['date', ID_KINDS.date.pattern],
    ['int', ID_KINDS.int.pattern],
    ['hex', JOINED_HEX],
  ] as const
).map(([kind, pattern]) => ({ kind, pattern }));

/** An id with what stands before and behind it as groups 1 and 2. */
export const joinedPattern = (pattern: string): string => `(^|${JOINTS})(?:${pattern})($|${JOINTS})`;

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
  // Twice: neighbours share the character between them.
  for (const { kind: joined, pattern } of JOINED)
    for (let pass = 0; pass < 2; pass++)
      form = form.replace(new RegExp(joinedPattern(pattern), 'g'), `$1{${joined}}$2`);
  return form === literal ? null : form;
}
