import { type CompiledPolicy, compilePolicy, policyFacts } from '@/lib/findings/policy/compile-policy';
import type { RuleOrder } from '@/lib/key-query/rule-filter';
import { RECOGNISED_SQL } from '@/lib/model/keys/recognised-values';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { bigkeyThresholds } from '@/lib/rules/bigkey-thresholds';
import { HUGE_TIMES } from '@/lib/rules/bucket-advice';
import { anyRange, type Binder, findingSql, inlineContext, zonesAlike } from './asked-of-rows';

/**
 * What listed keys are ordered by where it is the policy that knows: as many as the list shows beside them, by the
 * predicates that check-rows.ts asks. There a key is asked of its master, so no node is a replica here either.
 */
export function ruleOrderOf(policy: EffectivePolicy, manifest: SnapshotManifest): RuleOrder {
  const compiled = compilePolicy(policy, { ...policyFacts(manifest), replicaNodes: [] });
  return {
    hash: compiled.hash,
    violated: (where) => violatedSql(where, compiled),
    farAbove: (where) => farAboveSql(where, compiled),
  };
}

function violatedSql(where: Binder, compiled: CompiledPolicy): string {
  const whens = zonesAlike(compiled.zones).map((some) => {
    const zone = some[0]!;
    const profile = compiled.profiles[zone.profile]!;
    const within = anyRange(where, some, compiled.zones.length);
    const sql = inlineContext(where, compiled, profile);
    const ones = profile.keyRules.flatMap((rule) => {
      const finding = findingSql(compiled, rule, zone, sql, false);
      return finding === null ? [] : [`CASE WHEN ${finding} THEN 1 ELSE 0 END`];
    });
    return `WHEN ${within} THEN ${ones.length === 0 ? '0' : ones.join(' + ')}`;
  });
  return `(CASE ${whens.join(' ')} ELSE 0 END)`;
}

/** As `splitAdvice` (split-advice.ts) has it, by the profile of each zone. */
function farAboveSql(where: Binder, compiled: CompiledPolicy): string {
  const whens = compiled.profiles.flatMap((profile, index) => {
    const zones = compiled.zones.filter((zone) => zone.profile === index);
    if (zones.length === 0) return [];
    const limits = bigkeyThresholds(profile.body);
    const beyond = (limit: number) => HUGE_TIMES * Math.max(1, limit);
    return [
      `WHEN ${anyRange(where, zones, compiled.zones.length)} THEN CASE
         WHEN type = 'string' THEN coalesce(length, bytes) > ${beyond(limits.stringBytes)}
         WHEN type IN ('hash', 'list', 'set', 'zset') THEN length > ${beyond(limits.elements)} ELSE false END`,
    ];
  });
  return `CASE WHEN coalesce(CASE ${whens.join(' ')} ELSE false END, false) AND NOT ${RECOGNISED_SQL} THEN 1 ELSE 0 END`;
}
