import { escapedSql, foldedSegmentSql } from './folded-segment-sql';
import { kindSql } from './segment-kind';
import type { Where } from './where-clause';

/** The template of a column `name` in SQL, with the delimiter as a bound value. */
export const templateSql = (where: Where, delimiter: string): string =>
  templateOfSql(`${where.bind(delimiter)}::VARCHAR`);

/** The same with the delimiter as a literal: for statements that bind nothing. */
export const literalTemplateSql = (delimiter: string): string => templateOfSql(`'${delimiter.replaceAll("'", "''")}'`);

/** A digit or hex digits beside what joins, or a brace (a hash tag, or what looks like a token). */
const MAY_BE_JOINED = '[{]|[_.}-][0-9]|[0-9][_.}-]|[_.}-][0-9a-fA-F]{8}|[0-9a-fA-F]{8}[_.}-]';

/**
 * Every id folded, literal segments that look folded escaped (lib/model/names/folded-segment.ts). Most names have no
 * digit, or nothing that joins an id to a word; patterns within a lambda are made anew for every 2,048 rows, so those
 * that few names need are asked of these only.
 */
function templateOfSql(separator: string): string {
  const each = (form: string) =>
    `array_to_string(list_transform(string_split(name, ${separator}), lambda s: ${form}), ${separator})`;
  return `CASE WHEN NOT regexp_matches(name, '[0-9@{]') THEN name
    WHEN NOT regexp_matches(name, '${MAY_BE_JOINED}') THEN ${each(`coalesce('{' || (${kindSql('s')}) || '}', s)`)}
    ELSE ${each(`coalesce(${foldedSegmentSql('s')}, ${escapedSql('s')})`)} END`;
}
