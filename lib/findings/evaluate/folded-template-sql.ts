import { literalTemplateSql } from '@/lib/name-sql/template-sql';

/**
 * The template of a name, the same text as the paths of the tree (lib/key-query/folded-path.ts), made to be computed
 * for every key. Most names are plain: words without a digit and, behind the first colon, whole segments that are ids.
 * One pattern tells them, and their ids are seen by length and first character; only the others are looked at closely.
 * The cut keeps a hostile name from making a template of its size.
 *
 * Ids of plain names are numbers of ten digits at most, and UUIDs and hashes of small letters. So plain names of one
 * template and one length differ in nothing but which digits and letters a–f those are and, where there are several,
 * how long each is.
 *
 * What the database likes: a pattern within a lambda is made anew for every 2,048 rows, so few are; and lists are slow
 * on a part of the rows, so the plain template is made of all names and thrown away where the other one is needed.
 */
export const TEMPLATE_SEGMENTS = 8;
const TEMPLATE_NAME = 512;

/** Text without anything that could be an id, or be taken for a folded one. */
const WORD = '[^0-9:@{\\\\]*';
const INT = '[0-9]{1,10}';
const DATE = '(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])';
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

/**
 * `oneNumber`: as plain names pass only those with one number and no other id, which lies at one place in all names of
 * a template and a length.
 */
export const plainSql = (oneNumber: boolean) =>
  `(raw IS NULL AND strlen(name) <= ${TEMPLATE_NAME} AND regexp_full_match(name, '${oneNumber ? ONE_NUMBER : PLAIN}'))`;

const joined = (segments: string, segment: string) =>
  `array_to_string(list_transform(${segments}, lambda s: ${segment}), ':')`;
const NUMERIC = `s >= '0' AND s < ':'`;

/** Of a plain name; whatever has a digit is an id. */
export const plainTemplateSql = joined(
  `string_split(CASE WHEN strlen(name) <= ${TEMPLATE_NAME} THEN name END, ':')`,
  `CASE
  WHEN ${NUMERIC} THEN CASE
    WHEN strlen(s) = 8 AND regexp_full_match(s, '${DATE}') THEN '{date}' WHEN strlen(s) <= 10 THEN '{int}'
    WHEN strlen(s) = 36 AND contains(s, '-') THEN '{uuid}' ELSE '{hex}' END
  WHEN strlen(s) >= 8 AND s >= 'a' AND s < 'g' AND regexp_matches(s, '[0-9]') THEN
    CASE WHEN strlen(s) = 36 AND contains(s, '-') THEN '{uuid}' ELSE '{hex}' END
  ELSE s END`,
);

/** What a template is made of: a column of names that are not plain, under which `anyTemplateSql` is asked. */
export const anyNameSql = `regexp_extract(left(name, ${TEMPLATE_NAME}), '(?s)^[^:]*(?::[^:]*){0,${TEMPLATE_SEGMENTS - 1}}')`;
export const anyTemplateSql = literalTemplateSql(':', 'anyName');
