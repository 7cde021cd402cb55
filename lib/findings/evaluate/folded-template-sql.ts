import { literalTemplateSql } from '@/lib/name-sql/template-sql';

/**
 * The template of a name as the rules group by it: the column `template`, which is the same text as the paths of the
 * tree (lib/key-query/folded-path.ts), cut so that a hostile name makes no template of its size. Most names are plain:
 * words without a digit and, behind the first colon, at most seven segments that are such words or ids as a whole. One
 * pattern tells them, and their templates need no cut.
 *
 * Ids of plain names are numbers of ten digits at most, and UUIDs and hashes of small letters. So plain names of one
 * template and one length differ in nothing but which digits and letters a–f those are and, where there are several,
 * how long each is.
 */
export const TEMPLATE_SEGMENTS = 8;
const TEMPLATE_NAME = 512;

/** Text without anything that could be an id, or be taken for a folded one. */
const WORD = '[^0-9:@{\\\\]*';
const INT = '[0-9]{1,10}';
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

const FIRST_SEGMENTS = `(?s)^[^:]*(?::[^:]*){0,${TEMPLATE_SEGMENTS - 1}}`;

/** What the template of a long name is made of, NULL for others: a column under which `rulesTemplateSql` is asked. */
export const cutNameSql = `CASE WHEN strlen(name) > ${TEMPLATE_NAME} THEN regexp_extract(left(name, ${TEMPLATE_NAME}), '${FIRST_SEGMENTS}') END`;
/** Over rows with `plain` and `cutName` beside the columns of a key. */
export const rulesTemplateSql = `CASE WHEN plain THEN template
  WHEN cutName IS NULL THEN regexp_extract(template, '${FIRST_SEGMENTS}') ELSE ${literalTemplateSql(':', 'cutName')} END`;
