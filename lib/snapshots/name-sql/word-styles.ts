import { KINDS } from '@/lib/model/names/written-segment';
import { escapeRegex } from '@/lib/model/text/escape-regex';

/**
 * The styles of the words of a template, as bits. Folded segments are ids, not words; single letters and digits do not
 * count either.
 */
export const STYLES = [
  'lower',
  'UPPER',
  'camelCase',
  'PascalCase',
  'snake_case',
  'UPPER_SNAKE',
  'kebab-case',
  'dotted',
] as const;

/** SQL for the style bit of a segment without braces and digits. */
const styleSql = (s: string) => `CASE
  WHEN regexp_full_match(${s}, '[a-z]{2,}') THEN 1
  WHEN regexp_full_match(${s}, '[A-Z]{2,}') THEN 2
  WHEN regexp_full_match(${s}, '[a-z]+([A-Z]+[a-z]*)+') THEN 4
  WHEN regexp_full_match(${s}, '[A-Z][a-z]+([A-Z]+[a-z]*)*') THEN 8
  WHEN regexp_full_match(${s}, '[A-Z]+(_+[A-Z]+)+') THEN 32
  WHEN regexp_full_match(${s}, '[A-Za-z]+(_+[A-Za-z]+)+') THEN 16
  WHEN regexp_full_match(${s}, '[A-Za-z]+(-+[A-Za-z]+)+') THEN 64
  WHEN regexp_full_match(${s}, '[A-Za-z]+([.][A-Za-z]+)+') THEN 128
  END`;

/** A pattern that matches whole folded segments. */
export const FOLDED_SEGMENT = `'\\\\*[{](${KINDS.join('|')})[}]'`;

/** SQL for the styles of a column `template`. `separator`: the delimiter in SQL. */
export function wordStylesSql(delimiter: string, separator: string): string {
  // Covers most names: they begin with two lower-case letters and contain nothing of another style.
  const literal = escapeRegex(delimiter).replaceAll("'", "''");
  return `(CASE WHEN regexp_full_match(template, '[a-z]{2}(?:[a-z0-9{}]|${literal})*') THEN 1 ELSE
    coalesce(list_sum(list_distinct(list_transform(list_transform(
      list_filter(string_split(template, ${separator}), lambda s: NOT (ends_with(s, '}') AND regexp_full_match(s, ${FOLDED_SEGMENT}))),
      lambda s: trim(regexp_replace(s, '[{}0-9]', '', 'g'), '._-')), lambda s: ${styleSql('s')}))), 0) END)::UTINYINT`;
}
