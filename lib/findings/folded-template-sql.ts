import { KINDS, kindSql } from '@/lib/reports/segment-kind';

/**
 * The template of a name, the same text as the paths of the tree (lib/reports/folded-path.ts), made to be computed for
 * every key. `formSql` tells names of a few forms that are most of all (one or two numbers, a date and a number, a UUID or hash,
 * each a whole segment, and no other digit); those cost one or two replacements, the rest is folded segment by segment.
 * The cut keeps a hostile name from making a template of its size.
 *
 * Forms below PLAIN_FORMS hold digits in runs of ten at most and nothing else that varies: names of one template and one
 * length differ in nothing but which digits those are.
 */
export const TEMPLATE_SEGMENTS = 8;
const TEMPLATE_NAME = 512;
export const PLAIN_FORMS = 4;

/** Text without anything that could be an id, or be taken for a folded one. */
const TEXT = '[^0-9@{\\\\]*';
/** Digits that are no date. */
const INT = '(?:[0-9]{1,7}|[0-9]{9,10})';
const DATE = '(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])';
const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
const is = (...ids: string[]) =>
  `regexp_full_match(name, '${TEXT}${ids.map((id) => `:${id}`).join(`(?::${TEXT})?`)}(?::${TEXT})?')`;

/** 0 = none of the forms. `also` must hold for plain ones. */
export const formSql = (also = 'true') => `CASE WHEN strlen(name) > ${TEMPLATE_NAME} OR NOT (${also}) THEN 0
  WHEN ${is(INT)} THEN 1 WHEN ${is(DATE, INT)} THEN 2 WHEN ${is(INT, INT)} THEN 3
  WHEN ${is(UUID)} AND regexp_matches(name, '[0-9]') THEN 4
  WHEN ${is('[0-9a-f]{8,}')} AND regexp_matches(name, '[0-9]') AND NOT regexp_matches(name, ':[0-9]{8,}(?::|$)') THEN 5
  ELSE 0 END`;

const SEGMENT = `CASE WHEN NOT regexp_matches(s, '[0-9@{\\\\]') THEN s ELSE coalesce('{' || (${kindSql('s')}) || '}',
  CASE WHEN (starts_with(s, '{') OR starts_with(s, '\\')) AND regexp_full_match(s, '\\\\*\\{(${KINDS.join('|')})\\}')
    THEN concat('\\', s) ELSE s END) END`;

/** Over rows with the column `form`. */
export const foldedTemplateSql = `CASE form
  WHEN 1 THEN regexp_replace(name, '[0-9]+', '{int}')
  WHEN 2 THEN regexp_replace(regexp_replace(name, '[0-9]+', '{date}'), '[0-9]+', '{int}')
  WHEN 3 THEN regexp_replace(name, '[0-9]+', '{int}', 'g')
  WHEN 4 THEN regexp_replace(name, '${UUID}', '{uuid}')
  WHEN 5 THEN regexp_replace(name, '[0-9a-f]*[0-9][0-9a-f]*', '{hex}')
  ELSE array_to_string(list_transform(string_split(left(name, ${TEMPLATE_NAME}), ':')[:${TEMPLATE_SEGMENTS}], lambda s: ${SEGMENT}), ':') END`;
