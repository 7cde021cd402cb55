/**
 * Decides which segments tell a reader something and which are ids. An id is what the tree folds (a number, a date, a
 * UUID, a hash, an address), so that all names of one template get one verdict, or a random id.
 */

import { ID_KINDS } from '@/lib/model/names/id-kinds';
import { escapeForClass, escapeRegex } from '@/lib/model/text/escape-regex';
import type { SqlContext } from '@/lib/rules/types';
import { isValueSql, randomSql, withoutEscapesSql } from './name-words';

const { date, int, uuid, hex, alnum, email } = ID_KINDS;
const WITH_DIGIT = [date, int, uuid, hex, alnum].map(({ pattern }) => pattern).join('|');
export const isIdSql = (
  s: string,
) => `((regexp_matches(${s}, '[0-9]') AND (regexp_full_match(${s}, '${WITH_DIGIT}') OR ${randomSql(s)}))
  OR (contains(${s}, '@') AND regexp_full_match(${s}, '${email.pattern}')))`;

/**
 * A segment that matches says something: two letters of any script, or one Han character, which is a word by itself.
 */
const MEANINGFUL = '\\pL{2}|\\p{Han}';
const TYPE_WORDS = `('string', 'hash', 'list', 'set', 'zset', 'stream')`;

/**
 * N18: no segment tells a reader anything: only ids, single letters and signs, and the type at the end. Most names
 * begin with a word and need not be split.
 */
export function isMeaninglessSql(sql: SqlContext): string {
  const inClass = escapeForClass(sql.delimiterText);
  const word = `[^0-9@${inClass}]*`;
  const begins = sql.text(`^${word}(?:${MEANINGFUL})${word}(?:${escapeRegex(sql.delimiterText)}|$)`);
  const isType = `(i > 1 AND i = len(${sql.parts}) AND lower(s) IN ${TYPE_WORDS})`;
  return `CASE WHEN regexp_matches(${withoutEscapesSql('name')}, ${begins}) THEN false
    ELSE len(list_filter(${sql.parts}, lambda s, i: regexp_matches(${withoutEscapesSql('s')}, '${MEANINGFUL}') AND NOT ${isType} AND NOT ${isIdSql('s')})) = 0 END`;
}

/**
 * N14: a word contains a small letter. Values do not count: the segment after a column by which a row is found, and the
 * last of four segments, which are project, table, column and value under S4.
 */
export function smallWordSql(sql: SqlContext): string {
  const { parts } = sql;
  const isValue = `((i = 4 AND len(${parts}) = 4) OR ${isValueSql(parts)})`;
  return `CASE WHEN NOT regexp_matches(${withoutEscapesSql('name')}, '[a-z]') THEN false
    ELSE len(list_filter(${parts}, lambda s, i: regexp_matches(${withoutEscapesSql('s')}, '[a-z]') AND NOT ${isIdSql('s')} AND NOT ${isValue})) > 0 END`;
}
