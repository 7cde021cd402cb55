import { type GroupContext, type GroupRule, whereOfRule } from '@/lib/findings/groups/counts/group-answer';
import { templateSql } from '@/lib/key-query/template-sql';
import type { Source } from '@/lib/snapshots/query/with-source';

/**
 * Counts by folded template of the names a rule holds for, asked by the rules about words. The evaluation has them
 * already; where it does not, they are counted once per connection and kept in a temporary table. Segments behind the
 * eighth are not looked at, as in the evaluation: a template with hundreds of them says no more about words.
 */
const SEGMENTS = 8;
const MAX_NAME = 512;

const TABLE = 'group_templates';
/** What the temporary table holds now, by connection. */
const held = new WeakMap<Source, string>();

export async function templatesTable(source: Source, rule: GroupRule, context: GroupContext): Promise<string> {
  // The evaluation folds by colons, as the paths of the tree do.
  const known = rule.ranges ? rule.templates : context.templates;
  if (known && context.delimiter === ':') return known;
  const of = JSON.stringify(rule.ranges ?? null);
  if (held.get(source) === of) return `(SELECT * FROM ${TABLE})`;
  const where = whereOfRule(rule);
  const range = where.sql;
  const template = templateSql(where, context.delimiter);
  const separator = `${where.bind(context.delimiter)}::VARCHAR`;
  await source.query(
    `CREATE OR REPLACE TEMP TABLE ${TABLE} AS
     SELECT ${template} AS template, false AS rest, NULL::UTINYINT AS styles, count(*)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes, min(firstName) AS firstName FROM (
       SELECT array_to_string(string_split(left(name, ${MAX_NAME}), ${separator})[:${SEGMENTS}], ${separator}) AS name,
         coalesce(bytes, 0) AS bytes, name AS firstName FROM ${source.keys} ${range})
     GROUP BY 1`,
    where.values,
  );
  held.set(source, of);
  return `(SELECT * FROM ${TABLE})`;
}

/** The connection goes back to others; its memory does not stay behind. */
export async function dropTemplates(source: Source): Promise<void> {
  if (held.delete(source)) await source.query(`DROP TABLE IF EXISTS ${TABLE}`);
}
