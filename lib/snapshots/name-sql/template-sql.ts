import {
  buildJointsWithout,
  ID_END,
  JOINTS,
  MAY_BE_POD,
  MAY_BE_TIME,
  MAY_END_WORD,
  MAY_FOLD,
  RARE_IDS,
} from '@/lib/model/names/fold-segment';
import { ID_KINDS } from '@/lib/model/names/id-kinds';
import { MAY_HAVE_VALUE } from '@/lib/model/names/values-in-segment';
import { escapedSql, foldedSegmentSql, joinedReplacedSql } from './folded-segment-sql';
import { kindSql } from './segment-kind';

/** SQL for the template of a text with the delimiter as a literal, for statements that bind nothing. */
export const literalTemplateSql = (delimiter: string, text = 'name'): string =>
  textTemplateSql(text, `'${delimiter.replaceAll("'", "''")}'`, delimiter);

/** Delimiters that are no part of an id, join no words and have no meaning in a character class. */
const PLAIN_DELIMITER = /^[:/|,;#~!]$/;
/** Matches text that may contain a whole id of a kind that does not join: an e-mail address or base64 in braces. */
const BRACED = '(?s)[{].*@|[{][^{}]{16}';
const ID = '(?:[0-9]+Z?|0x[0-9a-fA-F]+|[0-9a-fA-F]{8,}|[0-9a-z]{24,}|[0-9A-Z]{24,}|[0-9]+T[0-9]+Z?)';
/**
 * Segments that begin with a digit need no further pattern if all of them are like this: numbers that are not dates.
 */
const NUMBERS = '[0-9]{1,7}|[0-9]{9,}|(?:[03-9][0-9]|1[0-8]|2[1-9])[0-9]{6}';
/**
 * Segments in which nothing folds: they have no digit, or are too short for an id that contains a letter. No part of
 * them can be the first word of what Kubernetes appends: nine or ten letters without a vowel between two hyphens.
 */
const buildUnfoldedPattern = (delimiter: string) => {
  const sign = `[^0-9@{}="${delimiter}-]`;
  return `${sign}*(?:-(?:${sign}{0,8}|${sign}{11,}|${sign}*[^b-df-hj-np-tv-xz0-9@{}="${delimiter}-]${sign}*))*|${SHORT_WORD}`;
};
const SHORT_WORD = '[A-Za-z][A-Za-z0-9]{0,5}|[A-Za-z]{2}[A-Za-z0-9]{5}';
/** Hash tags of one number, and the halves of those of two segments: `{17}`, `{user:17}`. */
const buildTagsPattern = (delimiter: string) => `[{](?:${NUMBERS})[}]|[{][^0-9@{}${delimiter}]*|(?:${NUMBERS})[}]`;
/** SQL for the form of a segment `s` of these patterns. In the order of texts, `:` follows `9`. */
const SIMPLE_FORM = `CASE WHEN s >= '0' AND s < ':' THEN CASE WHEN ends_with(s, '}') THEN '{int}}' ELSE '{int}' END
  WHEN s >= '{0' AND s < '{:' THEN '{{int}}' ELSE s END`;

/**
 * SQL for the template of a text: every id is folded, and literal segments that look folded are escaped
 * (lib/model/names/fold-segment.ts). Patterns within a lambda are compiled again for every 2,048 rows. Therefore
 * names of words and numbers, which are the most frequent, use a lambda without patterns. All other names use one that
 * recognizes whole ids; ids that are joined to words are replaced in the text before that, with the delimiter as one
 * more character that ends an id. Cases that this cannot express (e-mail addresses and base64 contain joining
 * characters), and other delimiters, are folded segment by segment.
 */
export function textTemplateSql(text: string, separator: string, delimiter: string): string {
  // Not array_to_string: that is a macro that uses its list twice, and within a CASE the list is built twice.
  const each = (of: string, form: string) =>
    `list_aggr(list_transform(string_split(${of}, ${separator}), lambda s: ${form}), 'string_agg', ${separator})`;
  const folded = (rare: boolean) => each(text, `coalesce(${foldedSegmentSql('s', rare)}, ${escapedSql('s')})`);
  const slow = `CASE WHEN regexp_matches(${text}, '${RARE_IDS}') THEN ${folded(true)} ELSE ${folded(false)} END`;
  if (!PLAIN_DELIMITER.test(delimiter))
    return `CASE WHEN NOT regexp_matches(${text}, '[{]|${MAY_FOLD}') THEN ${text} ELSE ${slow} END`;
  const joints = buildJointsWithout(delimiter);
  // A UUID that is a whole segment contains joining characters itself, and is frequent.
  const uuid = `(^|[${delimiter}])(?:${ID_KINDS.uuid.pattern})($|[${delimiter}])`;
  const withoutUuids = `CASE WHEN contains(${text}, '-') THEN regexp_replace(${text}, '${uuid}', '\\1\\2', 'g') ELSE ${text} END`;
  const hasJoinedId = `(regexp_matches(${text}, '${joints}|${MAY_END_WORD}|[0-9]Z|${MAY_BE_TIME}') AND
    regexp_matches(${withoutUuids}, '${joints}${ID}${ID_END}|(?:^|${JOINTS})${ID}${joints}|(?:^|${JOINTS})[0-9]+(?:T[0-9]+Z?|Z)${ID_END}|${MAY_END_WORD}|${MAY_BE_POD}'))`;
  const hasBase64 = `(regexp_matches(${text}, '[A-Z]') AND regexp_matches(${text}, '[a-z]') AND regexp_matches(${withoutUuids}, '(?:^|[${delimiter}])${ID_KINDS.b64.pattern}(?:$|[${delimiter}])'))`;
  const segment = `(?:${buildUnfoldedPattern(delimiter)}|${NUMBERS}|${buildTagsPattern(delimiter)})`;
  const isSimple = `regexp_full_match(${text}, '(?:${segment}[${delimiter}])*${segment}')`;
  const simple = each(text, SIMPLE_FORM);
  // Folded forms pass the lambda unchanged, because none of them is a whole id.
  const prepared = `CASE
    WHEN (contains(${text}, '=') OR contains(${text}, '"')) AND regexp_matches(${text}, '${MAY_HAVE_VALUE}') THEN ${slow}
    WHEN (contains(${text}, '{') AND regexp_matches(${text}, '${BRACED}')) OR (${hasJoinedId} AND (contains(${text}, '@') OR ${hasBase64})) THEN ${slow}
    WHEN ${hasJoinedId} THEN ${joinedReplacedSql(text)} ELSE ${escapedSql(text)} END`;
  return `CASE WHEN ${isSimple} THEN ${simple} ELSE ${each(prepared, `coalesce('{' || (${kindSql('s')}) || '}', s)`)} END`;
}
