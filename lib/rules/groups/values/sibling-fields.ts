import { KINDS } from '@/lib/model/names/written-segment';
import { escapeRegex } from '@/lib/model/text/escape-regex';
import { buildRuleWhere, type Found, type GroupQuestion } from '@/lib/rules/groups/counts/group-answer';
import { findKeyFamilies } from '@/lib/rules/groups/counts/key-families';
import { keyTemplateSql } from '@/lib/snapshots/key-query/template-sql';
import { KEY_OVERHEAD_BYTES } from './sibling-strings';

/** Length in bytes up to which a value is as short as a field. */
const FIELD_BYTES = 128;
/** Limit in bytes of memory if the length is unknown; it includes the name and the header. */
const FIELD_MEMORY = 256;
/** Share of the fields that objects must have on average. */
const MIN_FIELD_SHARE = 0.75;

/**
 * V13, the other way round: the field is before the id, `user:age:1` and `user:name:1`, and one hash `user:1` could
 * hold both. Tables of a project look the same (`shop:order:1`, `shop:item:1`; their ids are counted up from one, too),
 * so there are two more conditions: values as short as those of fields, and objects that have nearly all of the fields.
 */
export const findSiblingFields: GroupQuestion = async (source, rule, context): Promise<Found> => {
  if (Array.from(context.delimiter).length !== 1) return { groups: [] };
  const where = buildRuleWhere(rule);
  const d = escapeRegex(context.delimiter);
  where.and(`type = 'string' AND coalesce(length <= ${FIELD_BYTES}, bytes <= ${FIELD_MEMORY}, false)`);
  const shape = `(?s)[^${d}]${d}[^${d}0-9@{}]+${d}[^${d}{}]*[0-9@][^${d}{}]*$`;
  where.and(`regexp_matches(name, ${where.bind(shape)}::VARCHAR)`);
  const separator = `${where.bind(context.delimiter)}::VARCHAR`;
  const template = keyTemplateSql(where, context.delimiter);
  const cut = (name: string) => `left(${name}, length(${name}) - length(string_split(${name}, ${separator})[-1])
    - length(string_split(${name}, ${separator})[-2]) - 1)`;
  const rows = (
    keys: string,
  ) => `WITH folded AS (SELECT name, slot, name_bytes, bytes, ${template} AS template FROM ${keys} ${where.sql}),
       cut AS (
         SELECT name AS key, slot, name_bytes, bytes, false AS tagged, string_split(name, ${separator})[-2] AS field,
           string_split(template, ${separator})[-1] AS id, ${cut('template')} || string_split(template, ${separator})[-1] AS parent,
           ${cut('name')} || string_split(name, ${separator})[-1] AS object
         FROM folded)
     SELECT *, name_bytes - strlen(field) AS repeated FROM cut WHERE regexp_full_match(id, '[{](${KINDS.join('|')})[}]')`;
  const { families, all } = await findKeyFamilies(source, {
    rows,
    where,
    minFields: Number(rule.params.fields),
    minKeys: Number(rule.params.objects),
    counts: `keys > objects * fieldCount * ${MIN_FIELD_SHARE}`,
  });
  return {
    groups: families.map((row) => ({
      subject: row.parent,
      path: row.parent.slice(0, row.parent.lastIndexOf(context.delimiter) + context.delimiter.length),
      keys: row.keys,
      bytes: row.bytes,
      example: row.example,
      figures: {
        fields: row.fields,
        fieldCount: row.fieldCount,
        objects: row.objects,
        asHash: row.parent,
        savedBytes: Math.round((row.keys - row.objects) * (KEY_OVERHEAD_BYTES + row.repeated / row.keys)),
      },
    })),
    all,
  };
};
