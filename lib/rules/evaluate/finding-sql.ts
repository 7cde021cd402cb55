import { getBigkeyThresholds } from '@/lib/rules/bigkey-thresholds';
import type { CompiledPolicy, CompiledProfile, CompiledRule } from '@/lib/rules/policy/compile-policy';
import { globExemptedSql } from '@/lib/rules/policy/exempted-sql';
import type { Zone } from '@/lib/rules/policy/zones';
import { createSqlContext } from '@/lib/rules/sql-context';
import type { SqlContext } from '@/lib/rules/types';
import type { Where } from '@/lib/snapshots/key-query/where-clause';

/**
 * Binds values of a query that contains the predicates of rules. Such a query has no columns `parts` and `segments`, so
 * `createInlineContext` writes out their expressions wherever a rule uses them.
 */
export type Binder = Pick<Where, 'bind'>;

/** Groups zones that differ only in their owner and range, because the same rules and exemptions apply in them. */
export function groupSimilarZones(zones: readonly Zone[]): Zone[][] {
  const alike = new Map<string, Zone[]>();
  for (const zone of zones) {
    const key = `${zone.profile}/${zone.exempt.join()}`;
    alike.set(key, [...(alike.get(key) ?? []), zone]);
  }
  return [...alike.values()];
}

export function anyRangeSql(where: Binder, zones: readonly Zone[], all: number): string {
  if (zones.length === all) return 'true';
  const terms = zones.map(({ from, to }) => {
    const low = `name >= ${where.bind(from)}::VARCHAR`;
    return to === null ? low : `(${low} AND name < ${where.bind(to)}::VARCHAR)`;
  });
  return terms.length === 0 ? 'false' : `(${terms.join(' OR ')})`;
}

/**
 * SQL that is true for keys of a zone that violate a rule and are not exempted, or with `exempt` for those that are;
 * null if there can be none.
 */
export function findingSql(
  compiled: CompiledPolicy,
  rule: CompiledRule,
  zone: Zone,
  sql: SqlContext,
  exempt: boolean,
): string | null {
  const everywhere = zone.exempt.includes('*') || zone.exempt.includes(rule.id);
  const exempted = everywhere ? 'true' : globExemptedSql(compiled, rule, sql);
  if (exempted === (exempt ? 'false' : 'true')) return null;
  if (exempted === 'true' || exempted === 'false') return `(${rule.violated(sql)})`;
  return `((${rule.violated(sql)}) AND ${exempt ? exempted : `NOT ${exempted}`})`;
}

export function createInlineContext(where: Binder, compiled: CompiledPolicy, profile: CompiledProfile): SqlContext {
  const sql = createSqlContext((value) => where.bind(value), {
    delimiter: profile.delimiter,
    asOf: compiled.asOf,
    lazyExpire: compiled.lazyExpire,
    bigkeys: getBigkeyThresholds(profile.body),
    clustered: compiled.clustered,
    replicaNodes: compiled.replicaNodes,
    moreCommands: compiled.moreCommands,
    ownerPrefixes: compiled.policy.owners.map((one) => one.prefix),
  });
  const parts = () => `string_split(left(name, 4096), ${sql.delimiter})`;
  return Object.defineProperties(sql, {
    parts: { get: parts },
    segments: { get: () => `len(list_filter(${parts()}, lambda s: s <> ''))` },
    first: { get: () => `${parts()}[1]` },
    last: { get: () => `${parts()}[-1]` },
  });
}
