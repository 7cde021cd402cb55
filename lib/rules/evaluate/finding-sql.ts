import type { CompiledPolicy, CompiledProfile, CompiledRule } from '@/lib/rules/policy/compile-policy';
import { type Binder, inRangesSql, type Zone } from '@/lib/rules/policy/zones';
import { splitNameSql } from '@/lib/rules/sql-context';
import type { SqlContext } from '@/lib/rules/types';
import { globSql } from '@/lib/snapshots/key-query/glob-sql';
import { createPassContext } from './pass-sql';

/** Groups zones that differ only in their owner and range, because the same rules and exemptions apply in them. */
export function groupSimilarZones(zones: readonly Zone[]): Zone[][] {
  const similar = new Map<string, Zone[]>();
  for (const zone of zones) {
    const key = `${zone.profile}/${zone.exempt.join()}`;
    similar.set(key, [...(similar.get(key) ?? []), zone]);
  }
  return [...similar.values()];
}

/** SQL that is true for names in one of the zones. `all` is the number of zones of the policy. */
export function anyRangeSql(where: Binder, zones: readonly Zone[], all: number): string {
  return zones.length === all ? 'true' : inRangesSql(where, zones);
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

/** SQL that is true if a glob exempts the key from the rule. Exemptions by prefix are in the zones. */
function globExemptedSql(compiled: CompiledPolicy, rule: CompiledRule, sql: SqlContext): string {
  const own = compiled.patterns.filter(({ rules }) => rules.includes('*') || rules.includes(rule.id));
  if (own.length === 0) return 'false';
  return `(${own.map(({ glob }) => globSql(glob, sql.text)).join(' OR ')})`;
}

/**
 * The context for statements whose rows have no columns `parts` and `segments`: their expressions are written out
 * wherever a rule uses them.
 */
export function createInlineContext(where: Binder, compiled: CompiledPolicy, profile: CompiledProfile): SqlContext {
  const sql = createPassContext(where, compiled, profile);
  const parts = () => splitNameSql(sql.delimiter);
  return Object.defineProperties(sql, {
    parts: { get: parts },
    segments: { get: () => `len(list_filter(${parts()}, lambda s: s <> ''))` },
    first: { get: () => `${parts()}[1]` },
    last: { get: () => `${parts()}[-1]` },
  });
}
