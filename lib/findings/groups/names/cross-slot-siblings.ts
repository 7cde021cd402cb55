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
 * C28: keys of one object, `user:{int}:name` and `user:{int}:cart`, of any type, that a cluster puts into different
 * slots because they have no hash tag. As in V13, the ids must be of the same objects. Nothing of a server without
 * slots.
 */
const KEYS_PER_OBJECT = 1.5;
const MAX_FIELDS_SHOWN = 20;

export const crossSlotSiblings: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const clustered = source.manifest.nodes.some((node) => node.slots.length > 0);
  if (!clustered || Array.from(context.delimiter).length !== 1) return { groups: [] };
  const where = whereOfRule(rule);
  const d = context.delimiter.replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&');
  where.and('tag IS NULL');
  where.and(`regexp_matches(name, ${where.bind(`(?s)[^${d}]*[0-9@][^${d}]*${d}[^${d}0-9]+$`)}::VARCHAR)`);
  const separator = `${where.bind(context.delimiter)}::VARCHAR`;
  const template = keyTemplateSql(where, context.delimiter);
  const fields = `${where.bind(numberOf(rule.params, 'fields', 2))}::DOUBLE`;
  const keys = `${where.bind(numberOf(rule.params, 'keys', 1000))}::DOUBLE`;
  const rows = await source.query<AllRow & Row>(
    `WITH folded AS (
         SELECT name, bytes, slot, string_split(name, ${separator})[-1] AS field, ${template} AS template
         FROM ${source.keys} ${where.sql}),
       cut AS (
         SELECT name, bytes, slot, field, left(template, length(template) - length(field)) AS parent,
           left(name, length(name) - length(field)) AS object FROM folded),
       families AS (SELECT * FROM cut WHERE regexp_matches(parent, '[{](${KINDS.join('|')})[}][^{}]{1,4}$')),
       found AS (
         SELECT parent, count(DISTINCT field)::DOUBLE AS fieldCount, count(*)::DOUBLE AS keys,
           coalesce(sum(bytes), 0)::DOUBLE AS bytes, approx_count_distinct(object)::DOUBLE AS objects,
           count(DISTINCT slot)::DOUBLE AS slots, min(name) AS example,
           array_to_string(list_sort(list(DISTINCT field))[:${MAX_FIELDS_SHOWN}], ', ') AS fields
         FROM families GROUP BY parent)
     SELECT *, ${ALL_SQL} FROM found
     WHERE fieldCount >= ${fields} AND keys >= ${keys} AND slots > 1 AND keys > objects * ${KEYS_PER_OBJECT}
     ORDER BY keys DESC, parent LIMIT ${MAX_GROUPS_READ}`,
    where.values,
  );
  return {
    groups: rows.map((row) => ({
      subject: row.parent,
      path: row.parent,
      keys: row.keys,
      bytes: row.bytes,
      example: row.example,
      figures: { fields: row.fields, fieldCount: row.fieldCount, objects: row.objects, slots: row.slots },
    })),
    all: allOf(rows),
  };
};

interface Row {
  parent: string;
  fieldCount: number;
  keys: number;
  bytes: number;
  objects: number;
  slots: number;
  example: string;
  fields: string;
}
