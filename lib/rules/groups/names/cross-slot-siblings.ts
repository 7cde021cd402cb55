import { KINDS } from '@/lib/model/names/written-segment';
import { escapeRegex } from '@/lib/model/text/escape-regex';
import { buildRuleWhere, type Found, type GroupQuestion } from '@/lib/rules/groups/counts/group-answer';
import { findKeyFamilies } from '@/lib/rules/groups/counts/key-families';
import { keyTemplateSql } from '@/lib/snapshots/key-query/template-sql';

/**
 * With fewer keys per object on average, most objects have only one of the fields, so these belong to other objects.
 */
const MIN_KEYS_PER_OBJECT = 1.5;

/**
 * C28: keys of one object, `user:{int}:name` and `user:{int}:cart`, of any type, that a cluster puts into different
 * slots because they have no hash tag. As in V13, the ids must be of the same objects. A server without slots has no
 * such groups.
 */
export const findCrossSlotSiblings: GroupQuestion = async (source, rule, context): Promise<Found> => {
  const clustered = source.manifest.nodes.some((node) => node.slots.length > 0);
  if (!clustered || Array.from(context.delimiter).length !== 1) return { groups: [] };
  const where = buildRuleWhere(rule);
  const d = escapeRegex(context.delimiter);
  where.and('tag IS NULL');
  where.and(`regexp_matches(name, ${where.bind(`(?s)[^${d}]*[0-9@][^${d}]*${d}[^${d}0-9]+$`)}::VARCHAR)`);
  const separator = `${where.bind(context.delimiter)}::VARCHAR`;
  const template = keyTemplateSql(where, context.delimiter);
  const rows = (keys: string) => `WITH folded AS (
         SELECT name, bytes, slot, string_split(name, ${separator})[-1] AS field, ${template} AS template
         FROM ${keys} ${where.sql}),
       cut AS (
         SELECT name AS key, bytes, 0 AS repeated, false AS tagged, slot, field,
           left(template, length(template) - length(field)) AS parent, left(name, length(name) - length(field)) AS object FROM folded)
     SELECT * FROM cut WHERE regexp_matches(parent, '[{](${KINDS.join('|')})[}][^{}]{1,4}$')`;
  const { families, all } = await findKeyFamilies(source, {
    rows,
    where,
    minFields: Number(rule.params.fields),
    minKeys: Number(rule.params.keys),
    counts: `slots > 1 AND keys > objects * ${MIN_KEYS_PER_OBJECT}`,
  });
  return {
    groups: families.map((row) => ({
      subject: row.parent,
      path: row.parent,
      keys: row.keys,
      bytes: row.bytes,
      example: row.example,
      figures: { fields: row.fields, fieldCount: row.fieldCount, objects: row.objects, slots: row.slots },
    })),
    all,
  };
};
