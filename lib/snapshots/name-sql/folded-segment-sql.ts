/**
 * Folded segments (lib/model/names/fold-segment.ts) in SQL. `segment` is SQL text of Colonnade that is repeated many
 * times: a column or a parameter of a lambda.
 */

import {
  JOINED,
  JOINED_COMMON,
  JOINED_NUMBERS,
  JOINTS,
  type JoinedId,
  MAY_BE_TIME,
  MAY_END_WORD,
  MAY_FOLD,
  RARE_IDS,
} from '@/lib/model/names/fold-segment';
import { VALUES } from '@/lib/model/names/values-in-segment';
import { WRITTEN_TOKEN } from '@/lib/model/names/written-segment';
import { kindSql } from './segment-kind';

/** SQL for a literal segment, escaped as paths write it. The CASE is there because few segments contain a brace. */
export const escapedSql = (segment: string) =>
  `CASE WHEN contains(${segment}, '}') THEN regexp_replace(${segment}, '(${WRITTEN_TOKEN})', '\\\\\\1', 'g') ELSE ${segment} END`;

/** SQL that replaces ids by their tokens. */
const replacedSql = (text: string, ids: readonly JoinedId[]): string =>
  ids.reduce((sql, { token, pattern, passes }) => {
    const pass = (inner: string) => `regexp_replace(${inner}, '${pattern}', '\\1${token}\\2', 'g')`;
    return passes === 2 ? pass(pass(sql)) : pass(sql);
  }, text);

/**
 * SQL that replaces all ids that are joined to words by their tokens. `written` is `text` with everything that looks
 * folded escaped.
 */
export const joinedReplacedSql = (text: string, written = escapedSql(text)) =>
  `CASE WHEN regexp_matches(${text}, '${RARE_IDS}') THEN ${replacedSql(written, JOINED)} ELSE ${replacedSql(written, JOINED_COMMON)} END`;

/**
 * Matches segments that may contain an id that is no number: one with eight hex digits in a row, a date of fewer
 * digits, or `0x`.
 */
const MORE_THAN_NUMBERS = '[0-9a-fA-F]{8}|(?:19|20)[0-9]{2}-|0x';

/** SQL that replaces the values of URLs and JSON in `form`, the form of `segment`. */
const valuesReplacedSql = (segment: string, form: string) =>
  `CASE WHEN contains(${segment}, '=') OR contains(${segment}, '"') THEN ${replacedSql(form, VALUES)} ELSE ${form} END`;

/** SQL for the form of a segment with ids joined to words; NULL: it has none. `rare`: see `foldedSegmentSql`. */
function joinedSql(segment: string, rare: boolean | null): string {
  const literal = escapedSql(segment);
  const otherIds = rare === false ? MORE_THAN_NUMBERS : `${MORE_THAN_NUMBERS}|${RARE_IDS}`;
  // If this does not match, the whole segment is an id, or it contains none.
  const joints = rare === false ? `${JOINTS}|[0-9]Z` : `${JOINTS}|[0-9]Z|${MAY_END_WORD}|${MAY_BE_TIME}`;
  const form = `CASE WHEN regexp_matches(${segment}, '${otherIds}')
    THEN ${rare === null ? joinedReplacedSql(segment, literal) : replacedSql(literal, rare ? JOINED : JOINED_COMMON)}
    ELSE ${replacedSql(literal, JOINED_NUMBERS)} END`;
  return `CASE WHEN regexp_matches(${segment}, '${joints}') THEN nullif(${valuesReplacedSql(segment, form)}, ${literal}) END`;
}

/**
 * SQL for the form of a segment that contains ids; NULL for words.
 * @param rare whether `RARE_IDS` may be in it; null: the statement checks. In a lambda every further pattern costs
 * time.
 */
export function foldedSegmentSql(segment: string, rare: boolean | null = null): string {
  const inner = `substr(${segment}, 2, length(${segment}) - 2)`;
  return `CASE WHEN NOT regexp_matches(${segment}, '${MAY_FOLD}') THEN NULL ELSE coalesce(
    '{' || (${kindSql(segment)}) || '}',
    CASE WHEN starts_with(${segment}, '{') AND ends_with(${segment}, '}') THEN '{{' || (${kindSql(inner)}) || '}}' END,
    ${joinedSql(segment, rare)}) END`;
}
