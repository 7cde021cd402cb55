import type { ReportQuery } from '@/lib/model/reports/query';
import { append } from '@/lib/model/text/append';
import type { CompiledPolicy, CompiledRule } from '@/lib/rules/policy/compile-policy';
import { parseOwner } from '@/lib/rules/policy/owned-prefixes';
import { cutTemplateSql, type RulesMeta, SUMMARY_SEGMENTS } from '@/lib/rules/policy/rules-folder';
import { buildFilterWhere } from '@/lib/snapshots/key-query/filter-where';
import type { Where } from '@/lib/snapshots/key-query/where-clause';
import type { Source } from '@/lib/snapshots/query/with-source';
import { groupZonesByProfile, rollupSql } from './pass-sql';
import { findEvaluationScope } from './scope';

/**
 * Keys with the same violated, exempted and not evaluated rules in one zone, as one row. A snapshot has a few hundred
 * such combinations, and all counts are sums of them.
 */
export interface Combination {
  profile: number;
  zone: number;
  violated: bigint;
  exempted: bigint;
  notEvaluated: bigint;
  keys: number;
  bytes: number;
  bytesUnknown: number;
  /** Number of keys in the largest family of names among them; `firstName` is the first name of that family. */
  largest: number;
  firstName: string;
}

export const hasRuleBit = (mask: bigint, rule: CompiledRule) => ((mask >> BigInt(rule.bit)) & 1n) === 1n;

type Mask = 'violated' | 'exempted' | 'notEvaluated';
/** A combination as the database returns it, with the masks as decimal text. */
type Row = Record<string, unknown> & Omit<Combination, Mask> & Record<Mask, string>;

/**
 * Groups names into the families of the summary, so that a running scan shows the same example as the sealed snapshot.
 * The rest row of a wide level holds many families, each smaller than those with rows of their own, so its size does
 * not count as that of a family.
 */
const groupFamiliesSql = (rows: string, where: string) =>
  `SELECT profile, zone, violated::VARCHAR AS violated, exempted::VARCHAR AS exempted, notEvaluated::VARCHAR AS notEvaluated,
     sum(keys) AS keys, sum(bytes) AS bytes, sum(bytesUnknown) AS bytesUnknown,
     coalesce(max(keys) FILTER (NOT many), 1) AS largest,
     arg_min(firstName, {'many': many, 'size': CASE WHEN many THEN 0 ELSE -keys END, 'name': firstName}) AS firstName
   FROM (SELECT profile, zone, violated, exempted, notEvaluated, ${cutTemplateSql} AS family, rest AND len(parts) <= ${SUMMARY_SEGMENTS} AS many, sum(keys)::DOUBLE AS keys, sum(bytes)::DOUBLE AS bytes,
       sum(bytesUnknown)::DOUBLE AS bytesUnknown, min(firstName) AS firstName
     FROM (SELECT *, string_split(template, ':') AS parts FROM ${rows} ${where}) GROUP BY ALL)
   GROUP BY profile, zone, violated, exempted, notEvaluated`;

/** `meta` describes the stored evaluation; null while the scan runs. The answer is the same either way. */
export async function readCombinations(
  source: Source,
  compiled: CompiledPolicy,
  meta: RulesMeta | null,
  query: ReportQuery,
): Promise<Combination[]> {
  const scope = await findEvaluationScope(source, meta, query);
  const rows =
    scope !== null
      ? await source.query<Row>(groupFamiliesSql(scope.rows, scope.where.sql), scope.where.values)
      : await readFromKeys(source, compiled, query);
  const found = rows.map((row) => ({
    ...row,
    violated: BigInt(row.violated),
    exempted: BigInt(row.exempted),
    notEvaluated: BigInt(row.notEvaluated),
  }));
  return found.filter(matchesRuleFilter(compiled, query));
}

/** Returns a filter for rows that match `owner`, `rule`, `strength` and `exempt` of a query. */
function matchesRuleFilter(compiled: CompiledPolicy, query: ReportQuery) {
  const owner = parseOwner(query.owner);
  return (row: { profile: number; zone: number; violated: bigint; exempted: bigint }): boolean => {
    if (owner !== undefined && compiled.zones[row.zone]!.owner !== owner) return false;
    const found = query.exempt === true ? row.exempted : row.violated;
    const rules = compiled.profiles[row.profile]!.keyRules.filter((rule) => hasRuleBit(found, rule));
    if (query.rule?.length && !rules.some((rule) => query.rule!.includes(rule.id))) return false;
    if (query.strength?.length && !rules.some((rule) => query.strength!.includes(rule.strength))) return false;
    return query.exempt !== true || rules.length > 0;
  };
}

/** The same masks, computed now from the keys that the query selects; one sub-select per profile. */
export function selectLiveRows(
  source: Source,
  compiled: CompiledPolicy,
  query: ReportQuery,
): { sql: string; where: Where }[] {
  const { rule: _rule, strength: _strength, exempt: _exempt, owner: _owner, ...filter } = query;
  return groupZonesByProfile(compiled.zones).map((run) => {
    const where = buildFilterWhere(filter, source, filter.delimiter);
    return { sql: `(${rollupSql(source.keys, where, compiled, run)})`, where };
  });
}

async function readFromKeys(source: Source, compiled: CompiledPolicy, query: ReportQuery): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { sql, where } of selectLiveRows(source, compiled, query))
    append(rows, await source.query<Row>(groupFamiliesSql(sql, ''), where.values));
  return rows;
}
