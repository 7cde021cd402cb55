/**
 * The template of a name by which rules group keys. It is the column `template`, which is the same text as the paths of
 * the tree (lib/snapshots/key-query/folded-path.ts), cut so that a long hostile name does not make a long template.
 * Most names are plain: words and, after the first colon, at most seven segments, each of which is a word or an id as a
 * whole. Their templates need no cut.
 *
 * Ids of plain names are numbers of at most ten digits, and UUIDs and hashes in lower case. Plain names of one template
 * and one length therefore differ only in the digits and letters a–f of their ids and, if there are several ids, in the
 * length of each.
 *
 * If all ids are numbers, the template and the length of the name prove that it is plain, and no name has to be read: a
 * database that keeps the templates of a column in a dictionary evaluates each of them once. One or two such numbers
 * may also be joined to words. If there are two, `place`, the position of the character after the first one, gives the
 * length of each.
 */

import { formatKindToken, KINDS } from '@/lib/model/names/written-segment';
import { literalTemplateSql } from '@/lib/snapshots/name-sql/template-sql';

export const TEMPLATE_SEGMENTS = 8;
/** Bytes. The template of a longer name is made from this much of it. */
const TEMPLATE_NAME = 512;
const MAX_DIGITS = 10;

/** Matches text without anything that could be an id, or be mistaken for a folded one. */
const WORD = '[^0-9:@{\\\\]*';
const INT = `[0-9]{1,${MAX_DIGITS}}`;
/**
 * The first part must contain a letter, as in all but one of 43 UUIDs. So every plain id that is no number contains a
 * lower-case letter.
 */
const UUID = `(?:${Array.from({ length: 8 }, (_, i) => `[0-9]{${i}}[a-f][0-9a-f]{${7 - i}}`).join('|')})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`;
/**
 * At least eight hexadecimal characters, or eleven if the first is a digit. One must be a letter; otherwise it could be
 * a phone number.
 */
const HASH = [
  '[a-f][0-9a-f]{7,}',
  ...Array.from({ length: 10 }, (_, i) => `[0-9]{${i + 1}}[a-f][0-9a-f]{${9 - i},}`),
].join('|');
const PLAIN = `${WORD}(?::(?:${INT}|${HASH}|${UUID}|${WORD})){0,${TEMPLATE_SEGMENTS - 1}}`;
const ONE_NUMBER = `${WORD}(?::${WORD}){0,5}:${INT}(?::${WORD})?`;

const NUMBER = formatKindToken('int');
const SIGN = '[^A-Za-z0-9:_.{}-]';
/**
 * Matches templates whose length proves nothing about the ids: an id that is no number; a template that is longer than
 * its name for other reasons; two numbers like a date; numbers joined by signs that rules about characters and words
 * may look at.
 */
const NO_NUMBERS = `\\{(?:${KINDS.filter((kind) => kind !== 'int').join('|')})\\}|[@\\\\]|\\{int\\}[-_]\\{int\\}|${SIGN}\\{int\\}|\\{int\\}${SIGN}`;
const FEW_SEGMENTS = `[^:]*(?::[^:]*){0,${TEMPLATE_SEGMENTS - 1}}`;
const FIRST_SEGMENTS = `(?s)^${FEW_SEGMENTS}`;
/**
 * SQL for the beginning of a long name, from which its template is made; NULL for other names. `rulesTemplateSql` reads
 * it as the column `cutName`.
 */
const cutNameSql = `CASE WHEN strlen(name) > ${TEMPLATE_NAME} THEN regexp_extract(left(name, ${TEMPLATE_NAME}), '${FIRST_SEGMENTS}') END`;

/** A full match, because the database evaluates regexp_matches on every row, even if the column has a dictionary. */
const foundSql = (column: string, pattern: string) => `regexp_full_match(${column}, '(?s).*(?:${pattern}).*')`;

/**
 * Rows of `keys` with the columns they are grouped by: `plain`, `place`, `fewSegments` and `cutName`. If colons do not
 * separate the segments (`colons` is false), only names with one number and no other id count as plain: the number is
 * at the same place in all names of one template and length.
 */
export function shapedSql(keys: string, colons: boolean): string {
  const short = `raw IS NULL AND strlen(name) <= ${TEMPLATE_NAME}`;
  if (!colons)
    return `(SELECT *, regexp_full_match(template, '${FEW_SEGMENTS}') AS fewSegments, (${short} AND regexp_full_match(name, '${ONE_NUMBER}')) AS plain,
      NULL::BIGINT AS place, ${cutNameSql} AS cutName FROM ${keys})`;
  // Each of these columns depends on the template alone. Only then the database evaluates it on the dictionary.
  const templates = `SELECT *, ${foundSql('template', NO_NUMBERS)} AS otherIds,
      regexp_full_match(template, '${FEW_SEGMENTS}') AS fewSegments, ${foundSql('template', '[^:]\\{int\\}|\\{int\\}[^:]')} AS joined,
      strlen(replace(template, '${NUMBER}', '')) AS written, strlen(template) AS templateBytes,
      length(split_part(template, '${NUMBER}', 1)) AS ahead, split_part(template, '${NUMBER}', 2) AS between FROM ${keys}`;
  const counted = `SELECT *, ${foundSql('between', '[0-9]')} AS digitsBetween, (templateBytes - written) // ${NUMBER.length} AS numbers FROM (${templates})`;
  const placed = `SELECT *, CASE WHEN joined AND numbers = 2 THEN strpos(name, between) END AS place FROM (${counted})`;
  // `digits` is the length of all numbers together. Each number has at least one digit, so the longest has at most
  // `digits - (numbers - 1)`. The text between two numbers may also occur before them, or contain digits that are no
  // number; then it does not show where the first number ends.
  const digits = 'strlen(name) - written';
  const firstDigits = 'place - 1 - ahead';
  const proved = `SELECT *, NOT otherIds AND fewSegments AND ${short} AND CASE
      WHEN NOT joined OR numbers = 1 THEN ${digits} - greatest(numbers - 1, 0) <= ${MAX_DIGITS}
      ELSE numbers = 2 AND place > ahead AND NOT digitsBetween
        AND ${firstDigits} <= ${MAX_DIGITS} AND ${digits} - (${firstDigits}) <= ${MAX_DIGITS} END AS proved
    FROM (${placed})`;
  return `(SELECT * EXCLUDE (otherIds, templateBytes, written, ahead, between, digitsBetween, joined, numbers, place, proved),
      CASE WHEN proved THEN true WHEN ${short} THEN regexp_full_match(name, '${PLAIN}') ELSE false END AS plain,
      CASE WHEN proved THEN place END AS place, ${cutNameSql} AS cutName
    FROM (${proved}))`;
}

/** SQL for the template by which rules group keys, over rows of `shapedSql`. */
export const rulesTemplateSql = `CASE WHEN cutName IS NOT NULL THEN ${literalTemplateSql(':', 'cutName')}
  WHEN fewSegments THEN template ELSE regexp_extract(template, '${FIRST_SEGMENTS}') END`;
