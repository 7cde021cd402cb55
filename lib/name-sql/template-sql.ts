import {
  ID_END,
  JOINTS,
  jointsBut,
  MAY_BE_POD,
  MAY_BE_TIME,
  MAY_END_WORD,
  RARE_IDS,
} from '@/lib/model/names/folded-segment';
import { ID_KINDS } from '@/lib/model/names/id-kinds';
import { escapedSql, foldedSegmentSql, joinedReplacedSql } from './folded-segment-sql';
import { kindSql } from './segment-kind';

/** The template of a text in SQL, with the delimiter as a literal: for statements that bind nothing. */
export const literalTemplateSql = (delimiter: string, text = 'name'): string =>
  templateOfSql(text, `'${delimiter.replaceAll("'", "''")}'`, delimiter);

/** Delimiters that are no part of an id, join nothing and mean nothing in a class of characters. */
const PLAIN_DELIMITER = /^[:/|,;#~!]$/;
/** What may hold an id as a whole that is not one of those that join: an e-mail address or base64 in braces. */
const BRACED = '(?s)[{].*@|[{][^{}]{16}';
const ID = '(?:[0-9]+Z?|0x[0-9a-fA-F]+|[0-9a-fA-F]{8,}|[0-9a-z]{24,}|[0-9A-Z]{24,}|[0-9]+T[0-9]+Z?)';
/** Of which kind a segment is that begins with a digit needs no pattern where these are all: numbers, and no dates. */
const NUMBERS = '[0-9]{1,7}|[0-9]{9,}|(?:[03-9][0-9]|1[0-8]|2[1-9])[0-9]{6}';
/** Nothing in them is folded: no digit, or too short for any id that holds a letter. */
const words = (delimiter: string) => `[^0-9@{}${delimiter}]*|[A-Za-z][A-Za-z0-9]{0,5}|[A-Za-z]{2}[A-Za-z0-9]{5}`;
/** Hash tags of one number, and those of two segments: `{17}`, `{user:17}`. */
const tags = (delimiter: string) => `[{](?:${NUMBERS})[}]|[{][^0-9@{}${delimiter}]*|(?:${NUMBERS})[}]`;
const SIMPLE_FORM = `CASE WHEN s >= '0' AND s < ':' THEN CASE WHEN ends_with(s, '}') THEN '{int}}' ELSE '{int}' END
  WHEN s >= '{0' AND s < '{:' THEN '{{int}}' ELSE s END`;

/**
 * Every id folded, literal segments that look folded escaped (lib/model/names/folded-segment.ts). Patterns within a
 * lambda are made anew for every 2,048 rows. So names of words and numbers, most of all, have a lambda without any; of
 * the others, one that knows whole ids is asked of all; ids that are joined to words are replaced in the text before,
 * where the delimiter is one more character that ends an id. What that cannot say (e-mail addresses and base64 hold the
 * signs that join), and other delimiters, are folded segment by segment.
 */
export function templateOfSql(text: string, separator: string, delimiter: string): string {
  // Not array_to_string: that is a macro that names its list twice, and within a CASE it is made twice.
  const each = (of: string, form: string) =>
    `list_aggr(list_transform(string_split(${of}, ${separator}), lambda s: ${form}), 'string_agg', ${separator})`;
  const folded = (rare: boolean) => each(text, `coalesce(${foldedSegmentSql('s', rare)}, ${escapedSql('s')})`);
  const slow = `CASE WHEN regexp_matches(${text}, '${RARE_IDS}') THEN ${folded(true)} ELSE ${folded(false)} END`;
  if (!PLAIN_DELIMITER.test(delimiter))
    return `CASE WHEN NOT regexp_matches(${text}, '[0-9@{]') THEN ${text} ELSE ${slow} END`;
  const within = jointsBut(delimiter);
  // A UUID that is a whole segment looks joined by its own signs, and is frequent.
  const uuid = `(^|[${delimiter}])(?:${ID_KINDS.uuid.pattern})($|[${delimiter}])`;
  const bare = `CASE WHEN contains(${text}, '-') THEN regexp_replace(${text}, '${uuid}', '\\1\\2', 'g') ELSE ${text} END`;
  const joined = `(regexp_matches(${text}, '${within}|${MAY_END_WORD}|[0-9]Z|${MAY_BE_TIME}') AND
    regexp_matches(${bare}, '${within}${ID}${ID_END}|(?:^|${JOINTS})${ID}${within}|(?:^|${JOINTS})[0-9]+(?:T[0-9]+Z?|Z)${ID_END}|${MAY_END_WORD}|${MAY_BE_POD}'))`;
  const base64 = `(regexp_matches(${text}, '[A-Z]') AND regexp_matches(${text}, '[a-z]') AND regexp_matches(${bare}, '(?:^|[${delimiter}])${ID_KINDS.b64.pattern}(?:$|[${delimiter}])'))`;
  const segment = `(?:${words(delimiter)}|${NUMBERS}|${tags(delimiter)})`;
  const isSimple = `regexp_full_match(${text}, '(?:${segment}[${delimiter}])*${segment}')`;
  const simple = each(text, SIMPLE_FORM);
  // Folded forms pass the lambda as they are: none is an id as a whole.
  const prepared = `CASE
    WHEN (contains(${text}, '{') AND regexp_matches(${text}, '${BRACED}')) OR (${joined} AND (contains(${text}, '@') OR ${base64})) THEN ${slow}
    WHEN ${joined} THEN ${joinedReplacedSql(text)} ELSE ${escapedSql(text)} END`;
  return `CASE WHEN ${isSimple} THEN ${simple} ELSE ${each(prepared, `coalesce('{' || (${kindSql('s')}) || '}', s)`)} END`;
}
