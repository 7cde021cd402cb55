import {
  ALL_SQL,
  type AllRow,
  allOf,
  type Found,
  type GroupQuestion,
  MAX_GROUPS_READ,
  numberOf,
  whereOfRule,
} from '@/lib/findings/groups/counts/group-answer';
import { keyTemplateSql } from '@/lib/key-query/template-sql';
import { KINDS } from '@/lib/model/names/id-kinds';

/**
 * V13, the other way round: the field before the id, `user:age:1` and `user:name:1`, of which one hash `user:1` would
 * hold both. Tables of a project look alike (`shop:order:1`, `shop:item:1`, and their ids are counted up from one,
 * too), so more is asked: values as short as those of fields, and objects that have nearly all of the fields.
 */
const FIELD_BYTES = 128;
/** Where no length was read: with its name and header. */
const FIELD_MEMORY = 256;
const FIELDS_OF_OBJECT = 0.75;
const KEY_OVERHEAD_BYTES = 56;
const MAX_FIELDS_SHOWN = 20;

export const siblingFields: GroupQuestion = async (source, rule, context): Promise<Found> => {
  if (Array.from(context.delimiter).length !== 1) return { groups: [] };
  const where = whereOfRule(rule);
  const d = context.delimiter.replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&');
  where.and(`type = 'string' AND coalesce(length <= ${FIELD_BYTES}, bytes <= ${FIELD_MEMORY}, false)`);
  const shape = `(?s)[^${d}]${d}[^${d}0-9@{}]+${d}[^${d}{}]*[0-9@][^${d}{}]*$`;
  where.and(`regexp_matches(name, ${where.bind(shape)}::VARCHAR)`);
  const separator = `${where.bind(context.delimiter)}::VARCHAR`;
  const template = keyTemplateSql(where, context.delimiter);
  const fields = `${where.bind(numberOf(rule.params, 'fields', 3))}::DOUBLE`;
  const keys = `${where.bind(numberOf(rule.params, 'objects', 100))}::DOUBLE`;
  const cut = (name: string) => `left(${name}, length(${name}) - length(string_split(${name}, ${separator})[-1])
    - length(string_split(${name}, ${separator})[-2]) - 1)`;
  const rows = await source.query<AllRow & Row>(
    `WITH folded AS (SELECT name, name_bytes, bytes, ${template} AS template FROM ${source.keys} ${where.sql}),
       cut AS (
         SELECT name, name_bytes, bytes, string_split(name, ${separator})[-2] AS field, ${cut('template')} AS parent,
           string_split(template, ${separator})[-1] AS id, ${cut('name')} || string_split(name, ${separator})[-1] AS object
         FROM folded),
       families AS (SELECT * FROM cut WHERE regexp_full_match(id, '[{](${KINDS.join('|')})[}]')),
       sizes AS (
         SELECT parent, id, field, count(*)::DOUBLE AS keys, coalesce(sum(bytes), 0)::DOUBLE AS bytes,
           sum(name_bytes - strlen(field))::DOUBLE AS repeated, min(name) AS example
         FROM families GROUP BY 1, 2, 3),
       objects AS (SELECT parent, id, approx_count_distinct(object)::DOUBLE AS objects FROM families GROUP BY 1, 2),
       found AS (
         SELECT parent, id, count(*)::DOUBLE AS fieldCount, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes,
           sum(repeated)::DOUBLE AS repeated, greatest(any_value(objects), max(keys)) AS objects, min(example) AS example,
           array_to_string(list(field ORDER BY keys DESC, field)[:${MAX_FIELDS_SHOWN}], ', ') AS fields
         FROM sizes JOIN objects USING (parent, id) GROUP BY parent, id)
     SELECT *, ${ALL_SQL} FROM found
     WHERE fieldCount >= ${fields} AND keys >= ${keys} AND keys > objects * fieldCount * ${FIELDS_OF_OBJECT}
     ORDER BY keys DESC, parent, id LIMIT ${MAX_GROUPS_READ}`,
    where.values,
  );
  return {
    groups: rows.map((row) => ({
      subject: row.parent + row.id,
      path: row.parent,
      keys: row.keys,
      bytes: row.bytes,
      example: row.example,
      figures: {
        fields: row.fields,
        fieldCount: row.fieldCount,
        objects: row.objects,
        asHash: row.parent + row.id,
        savedBytes: Math.round((row.keys - row.objects) * (KEY_OVERHEAD_BYTES + row.repeated / row.keys)),
      },
    })),
    all: allOf(rows),
  };
};

interface Row {
  parent: string;
  id: string;
  fieldCount: number;
  keys: number;
  bytes: number;
  repeated: number;
  objects: number;
  example: string;
  fields: string;
}
