import { escapeRegex } from './template';
import type { SqlContext } from './types';

/**
 * What looks like words and what like an id, for the rules about how words are joined. An id is not written by people:
 * a segment of 16 or more characters with a digit, a UUID, an e-mail address, or digits with separators only (dates).
 */
export const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const idSql = (s: string) =>
  `(contains(${s}, '@') OR regexp_full_match(${s}, '[0-9][0-9._-]*|${UUID}') OR (strlen(${s}) >= 16 AND regexp_matches(${s}, '[0-9]')))`;

/** Where a name is not its bytes, `\\xhh` stands for one of them: no letters of the name's own. */
export const ownSql = (s: string) =>
  `CASE WHEN raw IS NULL THEN ${s} ELSE regexp_replace(${s}, '\\\\x[0-9a-f]{2}', ' ', 'g') END`;

/**
 * True where a segment that is no id matches the pattern (RE2, ours). The whole name is asked first: most have none.
 */
export function anyWordSegment(sql: SqlContext, pattern: string): string {
  return `CASE WHEN NOT regexp_matches(name, '${pattern}') THEN false
    ELSE len(list_filter(${sql.parts}, lambda s: regexp_matches(${ownSql('s')}, '${pattern}') AND NOT ${idSql('s')})) > 0 END`;
}

/** Signs that do a colon's work between meanings. What the profile parts segments with is none of them. */
export const otherSigns = (delimiter: string) =>
  ['/', '|', ';', ',', '#', '\\', '->', '=>'].filter((sign) => !delimiter.includes(sign) && !sign.includes(delimiter));

export function otherSignsSql(sql: SqlContext): string {
  const signs = otherSigns(sql.delimiterText);
  const pattern = sql.text(signs.flatMap((sign) => (sign === '\\' ? [] : [escapeRegex(sign)])).join('|'));
  const backslash = signs.includes('\\') ? ` OR (raw IS NULL AND contains(name, '\\'))` : '';
  return `(regexp_matches(name, ${pattern})${backslash})`;
}

export const CAMEL = '[a-z][A-Z]';
export const SNAKE = '[A-Za-z]_+[A-Za-z]';
export const KEBAB = '[A-Za-z]-[A-Za-z]';
export const DOTTED = '[A-Za-z][.][A-Za-z]';
export const isUuidSql = (s: string) => `regexp_full_match(${s}, '${UUID}')`;
