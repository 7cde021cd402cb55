import { RECOGNISED_SQL } from '@/lib/model/keys/recognised-values';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { getBigkeyThresholds } from '@/lib/rules/bigkey-thresholds';
import { type CompiledPolicy, compilePolicy, toPolicyFacts } from '@/lib/rules/policy/compile-policy';
import type { Binder } from '@/lib/rules/policy/zones';
import { HUGE_TIMES } from '@/lib/rules/split-advice';
import type { RuleOrder } from '@/lib/snapshots/key-query/rule-filter';
import { anyRangeSql, createInlineContext, findingSql, groupSimilarZones } from './finding-sql';

/**
 * Orders of key lists that depend on the policy: by the number of violated rules, as the list shows it, and by whether
 * a key is far above the bigkey thresholds. Both use the predicates of check-rows.ts. There a key is judged as on its
 * master, so no node counts as a replica here either.
 */
export function compileRuleOrder(policy: EffectivePolicy, manifest: SnapshotManifest): RuleOrder {
  const compiled = compilePolicy(policy, { ...toPolicyFacts(manifest), replicaNodes: [] });
  return {
    hash: compiled.hash,
    violated: (where) => violatedCountSql(where, compiled),
    farAbove: (where) => farAboveSql(where, compiled),
  };
}

/** SQL for the number of violated rules. */
function violatedCountSql(where: Binder, compiled: CompiledPolicy): string {
  const whens = groupSimilarZones(compiled.zones).map((zones) => {
    const zone = zones[0]!;
    const profile = compiled.profiles[zone.profile]!;
    const within = anyRangeSql(where, zones, compiled.zones.length);
    const sql = createInlineContext(where, compiled, profile);
    const terms = profile.keyRules.flatMap((rule) => {
      const finding = findingSql(compiled, rule, zone, sql, false);
      return finding === null ? [] : [`CASE WHEN ${finding} THEN 1 ELSE 0 END`];
    });
    return `WHEN ${within} THEN ${terms.length === 0 ? '0' : terms.join(' + ')}`;
  });
  return `(CASE ${whens.join(' ')} ELSE 0 END)`;
}

/**
 * 1 if a key is more than HUGE_TIMES above the threshold in the profile of its zone, as `adviseSplit` decides
 * it; else 0.
 */
function farAboveSql(where: Binder, compiled: CompiledPolicy): string {
  const whens = compiled.profiles.flatMap((profile, index) => {
    const zones = compiled.zones.filter((zone) => zone.profile === index);
    if (zones.length === 0) return [];
    const limits = getBigkeyThresholds(profile.body);
    return [
      `WHEN ${anyRangeSql(where, zones, compiled.zones.length)} THEN CASE
         WHEN type = 'string' THEN coalesce(length, bytes) > ${HUGE_TIMES * limits.stringBytes}
         WHEN type IN ('hash', 'list', 'set', 'zset') THEN length > ${HUGE_TIMES * limits.elements} ELSE false END`,
    ];
  });
  return `CASE WHEN coalesce(CASE ${whens.join(' ')} ELSE false END, false) AND NOT ${RECOGNISED_SQL} THEN 1 ELSE 0 END`;
}
