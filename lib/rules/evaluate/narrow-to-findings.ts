import type { ReportQuery } from '@/lib/model/reports/query';
import { type RulesMeta, rulesSummarySql } from '@/lib/rules/policy/rules-folder';
import type { NamePage } from '@/lib/snapshots/key-query/rule-filter';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { quote } from '@/lib/snapshots/query/duckdb';
import { selectKeysBetween } from '@/lib/snapshots/query/select-keys-between';
import type { Source } from '@/lib/snapshots/query/with-source';
import { findEvaluationScope } from './scope';

/** Maximum number of ranges: more would take longer than they save. All further ones are merged into the last. */
const MAX_RANGES = 40;
/** With more families than this, all keys are read, unless the first families suffice for the page. */
const MAX_FAMILIES = 20_000;

/**
 * Returns the sub-select for FROM, limited to the ranges of names in which the roll-up has keys that match `mask` (SQL
 * that Colonnade writes over `violated` and `profile`; null: every key in scope). For a page in the order of names only
 * the first ranges are included, as many as are known to hold its rows. Rows are in the order of names, like the file.
 */
export async function narrowToFindings(
  source: Source,
  meta: RulesMeta,
  query: ReportQuery,
  mask: string | null,
  page: NamePage | null,
): Promise<string> {
  const scope = await findEvaluationScope(source, meta, query);
  const where = scope?.where ?? new Where();
  if (mask !== null) where.and(mask);
  // The counts of the roll-up are those of the list if the query filters only by place and by either rule or strength.
  const exact = scope !== null && query.owner === undefined && !(query.rule?.length && query.strength?.length);
  const families = where.sql;
  const after = `${where.bind(page?.after ?? '')}::VARCHAR`;
  const need = `${where.bind(exact && page ? page.rows : Number.MAX_SAFE_INTEGER)}::DOUBLE`;
  const parts = await source.query<{ a: string; z: string; families: number; enough: boolean }>(
    // Group equal pairs of names: the order of two equal pairs is undefined, and their ranges would overlap. An island
    // is a set of overlapping ranges. For a page, an island that begins before its first row may end before it too, so
    // only the keys of later islands are sure to be on it.
    `WITH families AS (
       SELECT firstName, lastName, sum(keys)::DOUBLE AS keys FROM ${scope?.rows ?? rulesSummarySql(source.dir, meta)} ${families}
       GROUP BY 1, 2 ORDER BY 1, 2 LIMIT ${MAX_FAMILIES + 1}),
     reached AS (
       SELECT *, coalesce(max(lastName) OVER (ORDER BY firstName, lastName ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), '') AS reach
       FROM families),
     numbered AS (
       SELECT *, sum(CASE WHEN firstName > reach THEN 1 ELSE 0 END) OVER (ORDER BY firstName, lastName ROWS UNBOUNDED PRECEDING) AS island
       FROM reached),
     islands AS (
       SELECT min(firstName) AS a, max(lastName) AS z, sum(keys) AS keys, count(*)::DOUBLE AS n FROM numbered GROUP BY island),
     ahead AS (
       SELECT a, z, row_number() OVER (ORDER BY a) AS nth, CASE WHEN a > ${after} THEN keys ELSE 0 END AS sure,
         sum(n) OVER () AS families FROM islands WHERE z >= ${after}),
     summed AS (
       SELECT *, sum(sure) OVER () AS known,
         coalesce(sum(sure) OVER (ORDER BY a ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before FROM ahead)
     SELECT min(a) AS a, max(z) AS z, any_value(families) AS families, any_value(known) >= ${need} AS enough
     FROM summed WHERE before < ${need} GROUP BY least(nth, ${MAX_RANGES}) ORDER BY a`,
    where.values,
  );
  const [first] = parts;
  if (first === undefined) return exact ? `(SELECT * FROM ${source.keys} WHERE false)` : source.keys;
  if (first.families > MAX_FAMILIES && !first.enough) return source.keys;
  return `(${parts
    .map(
      ({ a, z }) =>
        `SELECT * FROM ${selectKeysBetween(source, a, z)} WHERE name >= ${quote(a)} AND name <= ${quote(z)}`,
    )
    .join(' UNION ALL ')})`;
}
