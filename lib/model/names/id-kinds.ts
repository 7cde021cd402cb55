/**
 * The table of the kinds of ids in names. Templates of rules, the tree, the templates of the pattern report and the
 * filters by template all use it; lib/snapshots/name-sql/segment-kind.ts generates its SQL.
 *
 *   date   20261120, 2026-11-20, 2026-11        uuid   8-4-4-4-12 hex digits
 *   int    digits only                          hex    ≥ 8 hex digits of one case, at least one 0–9 (not `deadbeef`);
 *   email  x@y.zz                                      0x and hex digits
 *   alnum  ≥ 24 letters and digits of one       b64    ≥ 16 of a base64 alphabet: a digit, a capital, a small letter;
 *          case, one 0–9 among the first 23            a JSON Web Token
 *          (ULID, cuid, base32); joined, also what Kubernetes appends to the name of a pod
 *   text   a value in a URL or in JSON (values-in-segment.ts); never a whole segment
 */

import { KINDS, type Kind } from './written-segment';

/**
 * `pattern` matches every text of the kind. It may match a little more (digits are hex too), because a regular
 * expression cannot express "and is not a date". RE2 and JavaScript use the same text. `alphabet` returns the pattern
 * of a kind that may contain almost any character without the characters of `but` (the inside of a class, such as a
 * delimiter).
 */
interface IdKind {
  pattern: string;
  alphabet?: (but: string) => string;
}

const buildTextPattern = (but: string) => `[^&"${but}]+`;
const buildEmailPattern = (but: string) => `[^@ ${but}]+@[^@ ${but}]+[.][A-Za-z]{2,}`;

/** The characters that Kubernetes uses in generated names: no vowels, and no digits that look like letters. */
export const POD_SIGNS = '[b-df-hj-np-tv-xz24-9]';

export const ID_KINDS = {
  date: {
    pattern:
      '(?:19|20)[0-9]{2}(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])|-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)',
  },
  int: { pattern: '[0-9]+' },
  uuid: { pattern: '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}' },
  hex: { pattern: '(?:[0-9a-f]{8,}|[0-9A-F]{8,}|0x[0-9a-fA-F]+)' },
  email: { pattern: buildEmailPattern(''), alphabet: buildEmailPattern },
  alnum: { pattern: `(?:[0-9a-z]{24,}|[0-9A-Z]{24,}|${POD_SIGNS}{8,10}-${POD_SIGNS}{5})` },
  b64: { pattern: '(?:[A-Za-z0-9+/_-]{16,}={0,2}|eyJ[A-Za-z0-9_-]+(?:[.][A-Za-z0-9_-]*){2})' },
  text: { pattern: buildTextPattern(''), alphabet: buildTextPattern },
} satisfies Record<Kind, IdKind>;

/** The pattern of a kind within a name whose segments never contain the delimiter (written for a class). */
export function buildKindPattern(kind: Kind, delimiter: string): string {
  const { pattern, alphabet }: IdKind = ID_KINDS[kind];
  return alphabet && delimiter !== '' ? alphabet(delimiter) : pattern;
}

const toWholeRegex = (pattern: string) => new RegExp(`^(?:${pattern})$`, 'u');
const is = Object.fromEntries(KINDS.map((kind) => [kind, toWholeRegex(ID_KINDS[kind].pattern)])) as Record<
  Kind,
  RegExp
>;

/** Returns the kind of a whole text; null for words. */
export function detectSegmentKind(segment: string): Kind | null {
  if (is.int.test(segment)) return is.date.test(segment) ? 'date' : 'int';
  if (is.email.test(segment)) return 'email';
  if (!/[0-9]/.test(segment)) return null;
  if (is.date.test(segment)) return 'date';
  if (is.uuid.test(segment)) return 'uuid';
  if (is.hex.test(segment)) return 'hex';
  if (is.alnum.test(segment) && /^[0-9A-Za-z]+$/.test(segment) && /[0-9]/.test(segment.slice(0, 23))) return 'alnum';
  if (is.b64.test(segment) && /[A-Z]/.test(segment) && /[a-z]/.test(segment)) return 'b64';
  return null;
}
