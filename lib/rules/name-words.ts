import type { SqlContext } from './types';

/**
 * What looks like words and what like an id, for the rules about how words are joined. An id is not written by people:
 * a segment of 16 or more characters with a digit, a UUID, an e-mail address, or digits with separators only (dates).
 */
const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const idSql = (s: string) =>
  `(contains(${s}, '@') OR regexp_full_match(${s}, '[0-9][0-9._-]*|${UUID}') OR (strlen(${s}) >= 16 AND regexp_matches(${s}, '[0-9]')))`;

/** True where a segment that is no id matches the pattern (RE2, ours). The whole name is asked first: most have none. */
export function anyWordSegment(sql: SqlContext, pattern: string): string {
  return `CASE WHEN NOT regexp_matches(name, '${pattern}') THEN false
    ELSE len(list_filter(${sql.parts}, lambda s: regexp_matches(s, '${pattern}') AND NOT ${idSql('s')})) > 0 END`;
}

export const CAMEL = '[a-z][A-Z]';
export const SNAKE = '[A-Za-z]_+[A-Za-z]';
export const KEBAB = '[A-Za-z]-[A-Za-z]';
export const DOTTED = '[A-Za-z][.][A-Za-z]';
export const isUuidSql = (s: string) => `regexp_full_match(${s}, '${UUID}')`;
