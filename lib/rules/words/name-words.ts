/**
 * Decides what is a word and what is an id, for the rules about how words are joined. Ids are not written by people: a
 * segment of 16 or more characters with a digit, a UUID or other groups of hex digits, an e-mail address, or digits
 * with separators only (dates).
 */

import { BINARY_NAME_SQL } from '@/lib/model/keys/binary-name-sql';
import { escapeForClass, escapeRegex } from '@/lib/model/text/escape-regex';
import type { SqlContext } from '@/lib/rules/types';
import { isIdColumnSql } from './id-columns';

export const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
/** Groups of hex digits joined by one sign. It is an id if it contains a digit. */
export const HEX_GROUPS = '[0-9a-fA-F]{4,}(?:[-_][0-9a-fA-F]{4,})+';
/** Digits with signs between them: numbers, dates, versions. */
export const DIGITS = '[0-9][0-9._-]*';
/** A date with one of the signs that join words. */
const DATE = '(?:19|20)[0-9]{2}[-_][01]?[0-9](?:[-_][0-3]?[0-9])?';
const idSql = (s: string) =>
  `(contains(${s}, '@') OR regexp_full_match(${s}, '${DIGITS}|${UUID}') OR (regexp_matches(${s}, '[0-9]')
    AND (strlen(${s}) >= 16 OR regexp_full_match(${s}, '${HEX_GROUPS}'))))`;

/**
 * The text of `s` without escapes. If a name is not text, `\\xhh` and `\\java\\` represent some of its bytes, and their
 * letters are not letters of the name.
 */
export const withoutEscapesSql = (s: string) =>
  `CASE WHEN NOT ${BINARY_NAME_SQL} THEN ${s} ELSE regexp_replace(${s}, '^\\\\java\\\\|\\\\x[0-9a-f]{2}', ' ', 'g') END`;

/** SQL for whether segment `i` follows a column by which a row is found: it is a value, even if it looks like a word. */
export const isValueSql = (parts: string) => `(i > 1 AND ${isIdColumnSql(`${parts}[i - 1]`)})`;

/**
 * SQL that is true if a segment that is neither an id nor a value matches the pattern (RE2, of Colonnade). The whole
 * name is tested first, because most names do not match.
 */
export function anyWordSegmentSql(sql: SqlContext, pattern: string): string {
  return `CASE WHEN NOT regexp_matches(name, '${pattern}') THEN false
    ELSE len(list_filter(${sql.parts}, lambda s, i: regexp_matches(${withoutEscapesSql('s')}, '${pattern}') AND NOT ${idSql('s')} AND NOT ${isValueSql(sql.parts)})) > 0 END`;
}

/**
 * The colon of a Chinese keyboard looks like the ASCII one but separates nothing. The same is true of the other
 * full-width signs, of the small colon and of the ratio.
 */
const FULL_WIDTH = ['：', '﹕', '∶', '／', '｜', '；', '，', '、'];

/** Signs that separate meanings like a colon does, without those that overlap with the delimiter of the profile. */
export const listOtherSigns = (delimiter: string) =>
  ['/', '|', ';', ',', '#', '\\', '->', '=>', '=', '&', '~', ...FULL_WIDTH].filter(
    (sign) => !delimiter.includes(sign) && !sign.includes(delimiter),
  );

/** A pattern for such a sign. At the end of base64, `=` is no sign between meanings. `notBeside`: written for a class. */
const buildSignPattern = (sign: string, notBeside: string) =>
  sign === '=' ? `[^=${notBeside}]=[^=${notBeside}]` : escapeRegex(sign);
/** The same for splitting a segment, in JavaScript. */
export const buildSplitPattern = (sign: string) => (sign === '=' ? '(?<=[^=])=(?=[^=])' : escapeRegex(sign));

export function otherSignsSql(sql: SqlContext): string {
  const signs = listOtherSigns(sql.delimiterText);
  const beside = escapeForClass(sql.delimiterText);
  const pattern = sql.text(signs.flatMap((sign) => (sign === '\\' ? [] : [buildSignPattern(sign, beside)])).join('|'));
  const backslash = signs.includes('\\') ? ` OR (NOT ${BINARY_NAME_SQL} AND contains(name, '\\'))` : '';
  return `(regexp_matches(name, ${pattern})${backslash})`;
}

export const CAMEL = '[a-z][A-Z]';
export const SNAKE = '[A-Za-z]_+[A-Za-z]';
export const KEBAB = '[A-Za-z]-[A-Za-z]';
export const DOTTED = '[A-Za-z][.][A-Za-z]';

/**
 * In a name without a delimiter: a dash or underscore after a word, a dot before a number, a date or a UUID, or two
 * dots between three words. A date, a UUID, groups of hex digits and a random id count as one word each.
 */
const JOINED_WITHOUT_COLON = [
  '[A-Za-z]{2,}[0-9]*[-_][A-Za-z0-9]',
  `[A-Za-z][.](?:[0-9]+|${DATE}|${UUID})(?:[.]|$)`,
  '[A-Za-z][A-Za-z0-9]*[.][A-Za-z][A-Za-z0-9]*[.][A-Za-z]',
].join('|');
/**
 * A random id with a dash or an underscore in its alphabet (an openid, a nanoid). It has letters of both cases, and
 * digits among them as no word has: between a capital and a small letter, or twice (`B2B_order` is words).
 */
const RANDOM_ALPHABET = '[A-Za-z0-9_-]{16,}';
const AMID_LETTERS = '[A-Za-z][0-9]+[A-Za-z]';
const NO_WORD = `[A-Z][0-9]+[a-z]|${AMID_LETTERS}(?:.*[A-Za-z])?[0-9]+[A-Za-z]`;
export const randomSql = (s: string) =>
  `(regexp_full_match(${s}, '${RANDOM_ALPHABET}') AND regexp_matches(${s}, '[A-Z]')
      AND regexp_matches(${s}, '[a-z]') AND regexp_matches(${s}, '${NO_WORD}'))`;
/** SQL that is true for a name without a delimiter that joins meanings by other signs. */
export const joinedMeaningsSql = (s: string) =>
  `(regexp_matches(${s}, '${JOINED_WITHOUT_COLON}') AND NOT regexp_full_match(${s}, '${UUID}')
    AND NOT (regexp_matches(${s}, '[0-9]') AND regexp_full_match(${s}, '${HEX_GROUPS}'))
    AND NOT ${randomSql(s)})`;
/** The same in JavaScript, for suggestions. */
export const joinsMeanings = (name: string) =>
  new RegExp(JOINED_WITHOUT_COLON).test(name) &&
  !new RegExp(`^(?:${UUID})$`).test(name) &&
  !(/[0-9]/.test(name) && new RegExp(`^(?:${HEX_GROUPS})$`).test(name)) &&
  !(
    new RegExp(`^${RANDOM_ALPHABET}$`).test(name) &&
    /[A-Z]/.test(name) &&
    /[a-z]/.test(name) &&
    new RegExp(NO_WORD).test(name)
  );
