import { KINDS, kindToken } from '@/lib/model/names/written-segment';
import { literalTemplateSql } from '@/lib/name-sql/template-sql';

/**
 * The template of a name as the rules group by it: the column `template`, which is the same text as the paths of the
 * tree (lib/key-query/folded-path.ts), cut so that a hostile name makes no template of its size. Most names are plain:
 * words and, behind the first colon, at most seven segments that are words or ids as a whole. Their templates need no
 * cut.
 *
 * Ids of plain names are numbers of ten digits at most, and UUIDs and hashes of small letters. So plain names of one
 * template and one length differ in nothing but which digits and letters a–f those are and, where there are several,
 * how long each is.
 *
 * Where all ids are numbers, the template and the length of the name prove it, and no name need be looked at: a
 * database that keeps the templates of a column in a dictionary asks each of them once. Such numbers, one or two, may
 * also be joined to words; of two, `place` tells how long each is: the character behind the first.
 */
export const TEMPLATE_SEGMENTS = 8;
const TEMPLATE_NAME = 512;
const MAX_DIGITS = 10;

/** Text without anything that could be an id, or be taken for a folded one. */
const WORD = '[^0-9:@{\\\\]*';
const INT = `[0-9]{1,${MAX_DIGITS}}`;
/**
 * With a letter in its first part, as all but one of 43 have: so every plain id that is no number holds a small letter.
 */
const UUID = `(?:${Array.from({ length: 8 }, (_, i) => `[0-9]{${i}}[a-f][0-9a-f]{${7 - i}}`).join('|')})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`;
/**
 * Eight digits and letters at least, eleven where a digit is first, of which one is a letter (or it could be a phone
 * number).
 */
const HASH = [
  '[a-f][0-9a-f]{7,}',
  ...Array.from({ length: 10 }, (_, i) => `[0-9]{${i + 1}}[a-f][0-9a-f]{${9 - i},}`),
].join('|');
const PLAIN = `${WORD}(?::(?:${INT}|${HASH}|${UUID}|${WORD})){0,${TEMPLATE_SEGMENTS - 1}}`;
const ONE_NUMBER = `${WORD}(?::${WORD}){0,5}:${INT}(?::${WORD})?`;

const NUMBER = kindToken('int');
const SIGN = '[^A-Za-z0-9:_.{}-]';
/**
 * An id that is no number; a template that is longer than its name for other reasons; two numbers like a date; numbers
 * joined by signs that rules about characters and words may look at.
 */
const NO_NUMBERS = `\\{(?:${KINDS.filter((kind) => kind !== 'int').join('|')})\\}|[@\\\\]|\\{int\\}[-_]\\{int\\}|${SIGN}\\{int\\}|\\{int\\}${SIGN}`;
const FEW_SEGMENTS = `[^:]*(?::[^:]*){0,${TEMPLATE_SEGMENTS - 1}}`;
const FIRST_SEGMENTS = `(?s)^${FEW_SEGMENTS}`;
/** What the template of a long name is made of, NULL for others: a column under which `rulesTemplateSql` is asked. */
const cutNameSql = `CASE WHEN strlen(name) > ${TEMPLATE_NAME} THEN regexp_extract(left(name, ${TEMPLATE_NAME}), '${FIRST_SEGMENTS}') END`;

/** regexp_matches is asked of each row, whatever the column. */
const foundSql = (column: string, pattern: string) => `regexp_full_match(${column}, '(?s).*(?:${pattern}).*')`;

/**
 * Rows of `keys` with what they are grouped by: `plain`, `place`, `fewSegments` and `cutName`. Where colons do not part
 * the segments (`colons`), as plain names pass only those with one number and no other id, which lies at one place in
 * all names of a template and a length.
 */
export function shapedSql(keys: string, colons: boolean): string {
  const short = `raw IS NULL AND strlen(name) <= ${TEMPLATE_NAME}`;
  if (!colons)
    return `(SELECT *, regexp_full_match(template, '${FEW_SEGMENTS}') AS fewSegments, (${short} AND regexp_full_match(name, '${ONE_NUMBER}')) AS plain,
      NULL::BIGINT AS place, ${cutNameSql} AS cutName FROM ${keys})`;
  // Columns of the template alone, each by itself: only so it is asked of the dictionary.
  const templates = `SELECT *, ${foundSql('template', NO_NUMBERS)} AS otherIds,
      regexp_full_match(template, '${FEW_SEGMENTS}') AS fewSegments, ${foundSql('template', '[^:]\\{int\\}|\\{int\\}[^:]')} AS joined,
      strlen(replace(template, '${NUMBER}', '')) AS written, strlen(template) AS templateBytes,
      length(split_part(template, '${NUMBER}', 1)) AS ahead, split_part(template, '${NUMBER}', 2) AS between FROM ${keys}`;
  const counted = `SELECT *, ${foundSql('between', '[0-9]')} AS digitsBetween, (templateBytes - written) // ${NUMBER.length} AS numbers FROM (${templates})`;
  const placed = `SELECT *, CASE WHEN joined AND numbers = 2 THEN strpos(name, between) END AS place FROM (${counted})`;
  // Each number but one has a digit at least: the longest is at most this long. What stands between two numbers may
  // stand before them too, or hold digits that are no number: then it does not tell where the first one ends.
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

/** Over rows of `shapedSql`. */
export const rulesTemplateSql = `CASE WHEN cutName IS NOT NULL THEN ${literalTemplateSql(':', 'cutName')}
  WHEN fewSegments THEN template ELSE regexp_extract(template, '${FIRST_SEGMENTS}') END`;
