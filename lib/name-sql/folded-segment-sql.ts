import { JOINED, JOINTS, joinedPattern } from '@/lib/model/names/folded-segment';
import { WRITTEN_TOKEN } from '@/lib/model/names/written-segment';
import { kindSql } from './segment-kind';

/**
 * Folded segments (lib/model/names/folded-segment.ts) in SQL. `segment` is SQL text of Colonnade that is written out
 * many times: a column or a parameter of a lambda.
 */

/** A literal segment as it stands in a path. Few hold a brace at all. */
export const escapedSql = (segment: string) =>
  `CASE WHEN contains(${segment}, '}') THEN regexp_replace(${segment}, '(${WRITTEN_TOKEN})', '\\\\\\1', 'g') ELSE ${segment} END`;

/** What an escaped segment without ids says. */
export const unescapedSql = (segment: string) => `regexp_replace(${segment}, '\\\\(${WRITTEN_TOKEN})', '\\1', 'g')`;

/** Ids between signs that join, or the ends of the text, by their tokens. */
export const joinedReplacedSql = (text: string, kinds: readonly string[]): string =>
  JOINED.filter(({ kind }) => kinds.includes(kind)).reduce((sql, { kind, pattern }) => {
    // Twice: neighbours share the character between them.
    const pass = (inner: string) => `regexp_replace(${inner}, '${joinedPattern(pattern)}', '\\1{${kind}}\\2', 'g')`;
    return pass(pass(sql));
  }, text);

/** Dates of less than eight digits hold a `-`, and so do UUIDs; without eight in a row there are only numbers. */
const MORE_THAN_NUMBERS = '[0-9a-fA-F]{8}|(?:19|20)[0-9]{2}-';

function joinedSql(segment: string): string {
  const literal = escapedSql(segment);
  const form = `CASE WHEN regexp_matches(${segment}, '${MORE_THAN_NUMBERS}') THEN ${joinedReplacedSql(literal, ['uuid', 'date', 'int', 'hex'])}
    ELSE ${joinedReplacedSql(literal, ['int'])} END`;
  return `CASE WHEN regexp_matches(${segment}, '${JOINTS}') AND regexp_matches(${segment}, '[0-9]') THEN nullif(${form}, ${literal}) END`;
}

/** The form of a segment that holds ids, NULL for words. */
export function foldedSegmentSql(segment: string): string {
  const inner = `substr(${segment}, 2, length(${segment}) - 2)`;
  return `CASE WHEN NOT regexp_matches(${segment}, '[0-9@]') THEN NULL ELSE coalesce(
    '{' || (${kindSql(segment)}) || '}',
    CASE WHEN starts_with(${segment}, '{') AND ends_with(${segment}, '}') THEN '{{' || (${kindSql(inner)}) || '}}' END,
    ${joinedSql(segment)}) END`;
}
