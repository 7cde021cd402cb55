import { buildRuleWhere, type GroupContext, type GroupRule } from '@/lib/rules/groups/counts/group-answer';
import { templateSql } from '@/lib/snapshots/key-query/template-sql';
import type { Source } from '@/lib/snapshots/query/with-source';

/** Limits of a name from which its template is made, as in the evaluation. */
const SEGMENTS = 8;
const MAX_NAME = 512;

const TABLE = 'group_templates';
/** The ranges that the temporary table was counted for, by connection. */
const countedFor = new WeakMap<Source, string>();

/**
 * Counts by folded template of the names that a rule applies to, for the rules about words. The evaluation usually has
 * them already; otherwise they are counted once per connection and kept in a temporary table. Segments after the eighth
 * are ignored, as in the evaluation: hundreds of segments say no more about words.
 */
export async function makeTemplatesTable(source: Source, rule: GroupRule, context: GroupContext): Promise<string> {
  // The evaluation folds names at colons, as the paths of the tree do, so its counts serve no other delimiter.
  const known = rule.ranges ? rule.templates : context.templates;
  if (known && context.delimiter === ':') return known;
  const ranges = JSON.stringify(rule.ranges ?? null);
  if (countedFor.get(source) === ranges) return `(SELECT * FROM ${TABLE})`;
  const where = buildRuleWhere(rule);
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
  countedFor.set(source, ranges);
  return `(SELECT * FROM ${TABLE})`;
}

/** Drops the temporary table to free its memory, because the connection is used by others afterwards. */
export async function dropTemplates(source: Source): Promise<void> {
  if (countedFor.delete(source)) await source.query(`DROP TABLE IF EXISTS ${TABLE}`);
}
