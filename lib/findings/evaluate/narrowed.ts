import { type RulesMeta, summaryOf } from '@/lib/findings/policy/rules-folder';
import type { NamePage } from '@/lib/key-query/rule-filter';
import { Where } from '@/lib/key-query/where-clause';
import type { ReportQuery } from '@/lib/model/reports/query';
import { keysBetween } from '@/lib/snapshots/query/keys-between';
import type { Source } from '@/lib/snapshots/query/with-source';
import { evaluationScope } from './scope';

/** More ranges than this cost more than they spare: what lies behind is one range. */
const MAX_RANGES = 40;
/** Of more families nobody computes the ranges. */
const MAX_FAMILIES = 20_000;

/**
 * The sub-select behind FROM, narrowed to the ranges of names in which the roll-up knows keys under `mask` (SQL of
 * Colonnade over `violated` and `profile`; null: whatever is in scope). A page in the order of names needs the first of
 * them only: as many as are known to hold its rows. In the order of names, like the file.
 */
export async function narrowed(
  source: Source,
  meta: RulesMeta,
  query: ReportQuery,
  mask: string | null,
  page: NamePage | null,
): Promise<string> {
  const scope = await evaluationScope(source, meta, query);
  const where = scope?.where ?? new Where();
  if (mask !== null) where.and(mask);
  // The roll-up's counts are those of the list when nothing but rules and its place is asked for.
  const exact = scope !== null && query.owner === undefined && !(query.rule?.length && query.strength?.length);
  const families = where.sql;
  const after = `${where.bind(page?.after ?? '')}::VARCHAR`;
  const need = `${where.bind(exact && page ? page.rows : Number.MAX_SAFE_INTEGER)}::DOUBLE`;
  const parts = await source.query<{ a: string; z: string; families: number; enough: boolean }>(
    // Each pair of names once: of two alike, which lies first is anybody's guess, and ranges would overlap.
    `WITH families AS (
       SELECT firstName, lastName, sum(keys)::DOUBLE AS keys FROM ${scope?.rows ?? summaryOf(source.dir, meta)} ${families}
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
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
  return `(${parts
    .map(({ a, z }) => `SELECT * FROM ${keysBetween(source, a, z)} WHERE name >= ${text(a)} AND name <= ${text(z)}`)
    .join(' UNION ALL ')})`;
}
