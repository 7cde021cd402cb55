/** Turns combinations and groups into one finding for every key rule and every group rule that is on. */

import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { GroupFinding, RuleFinding } from '@/lib/model/rules/findings';
import type { Strength } from '@/lib/model/rules/rules';
import { STRENGTHS } from '@/lib/model/rules/vocabulary';
import { type Combination, hasRuleBit } from '@/lib/rules/evaluate/combinations';
import type { GroupAnswer } from '@/lib/rules/groups/counts/group-answer';
import type { GroupPart } from '@/lib/rules/groups/group-part';
import { listGroupRules } from '@/lib/rules/groups/stored-groups';
import {
  type CompiledPolicy,
  type CompiledProfile,
  type CompiledRule,
  listBaseFirst,
} from '@/lib/rules/policy/compile-policy';
import { hasNamesBelow } from '@/lib/rules/policy/zones';
import type { Source } from '@/lib/snapshots/query/with-source';
import { findExamples, type WantedExample } from './examples';

/** Number of keys and their memory. */
export interface Total {
  keys: number;
  /** Sum over the keys whose memory is known. */
  bytes: number;
  bytesUnknown: number;
}

/**
 * A share of 0…1, null without keys. A group of one team may contain keys of another team whose prefix is inside of it,
 * so the share of a team's keys is limited to 1.
 */
const computeShare = (part: number, whole: number) => (whole > 0 ? Math.min(1, part / whole) : null);

/**
 * A key rule with the profiles in which it is on, each with its own strength and parameters, the base profile first.
 */
interface KeyRule {
  rule: CompiledRule;
  within: { profile: CompiledProfile; index: number; rule: CompiledRule }[];
}

/** Key rules of all profiles, each once. */
export function listKeyRules(compiled: CompiledPolicy): KeyRule[] {
  const byId = new Map<string, KeyRule['within']>();
  for (const index of listBaseFirst(compiled)) {
    const profile = compiled.profiles[index]!;
    for (const rule of profile.keyRules) byId.set(rule.id, [...(byId.get(rule.id) ?? []), { profile, index, rule }]);
  }
  return [...byId.values()].map((within) => ({ rule: within[0]!.rule, within }));
}

/** Returns one finding for each of the rules, with an example if it is violated. */
export async function buildKeyFindings(
  source: Source,
  compiled: CompiledPolicy,
  rules: readonly KeyRule[],
  combinations: readonly Combination[],
  total: Total,
): Promise<RuleFinding[]> {
  const judged = rules.map((rule) => judgeRule(rule, compiled, combinations, total));
  const wanted = judged.flatMap(({ example }) => example ?? []);
  const examples = await findExamples(source, compiled, wanted, 'independent');
  return judged.map(({ finding, example }) =>
    example === null ? finding : { ...finding, example: examples.shift()! },
  );
}

function judgeRule(
  { rule, within }: KeyRule,
  compiled: CompiledPolicy,
  combinations: readonly Combination[],
  total: Total,
): { finding: RuleFinding; example: WantedExample | null } {
  const because = rule.entry?.findSkipReason?.({ owners: compiled.policy.owners.length }) ?? null;
  const isExempt = ({ zone }: Combination) => compiled.zones[zone]!.exempt.some((id) => id === '*' || id === rule.id);
  const sum = { keys: 0, bytes: 0, exempt: 0, unknown: 0 };
  const keysByStrength = new Map<Strength, number>();
  /** The largest family of violating names, whose first name is the example. */
  let family: { name: string; keys: number; profile: CompiledProfile } | null = null;
  const strengths: Record<RuleFinding['status'], Strength[]> = { violated: [], unknown: [], passed: [] };
  for (const { profile, index, rule: own } of within) {
    for (const row of combinations) {
      if (row.profile !== index) continue;
      const isDoubtful = hasRuleBit(row.notEvaluated, own) || (because !== null && !isExempt(row));
      const notEvaluated = isDoubtful && !hasRuleBit(row.violated, own) && !hasRuleBit(row.exempted, own);
      strengths[hasRuleBit(row.violated, own) ? 'violated' : notEvaluated ? 'unknown' : 'passed'].push(own.strength);
      if (hasRuleBit(row.exempted, own)) sum.exempt += row.keys;
      if (notEvaluated) sum.unknown += row.keys;
      if (!hasRuleBit(row.violated, own)) continue;
      sum.keys += row.keys;
      keysByStrength.set(own.strength, (keysByStrength.get(own.strength) ?? 0) + row.keys);
      sum.bytes += row.bytes;
      const isLarger =
        family === null || row.largest > family.keys || (row.largest === family.keys && row.firstName < family.name);
      if (isLarger) family = { name: row.firstName, keys: row.largest, profile };
    }
  }
  const example = family === null ? null : { profile: family.profile, rule, name: family.name, needsType: true };
  const status = sum.keys > 0 ? 'violated' : sum.unknown > 0 ? 'unknown' : 'passed';
  const finding: RuleFinding = {
    ...describeRule(rule),
    // The profile of a prefix may give the rule another strength than that of the instance. Take the strictest one
    // among the profiles whose keys decide the status.
    strength: STRENGTHS.find((strength) => strengths[status].includes(strength)) ?? rule.strength,
    ...(keysByStrength.size > 1 && {
      strengths: STRENGTHS.flatMap((strength) => {
        const keys = keysByStrength.get(strength) ?? 0;
        return keys > 0 ? [{ strength, keys }] : [];
      }),
    }),
    status,
    keys: sum.keys,
    bytes: toKnownBytes(sum),
    shareKeys: computeShare(sum.keys, total.keys),
    shareBytes: computeShare(sum.bytes, total.bytes),
    exemptKeys: sum.exempt,
    unknownKeys: sum.unknown,
    ...(because !== null && { because }),
    groups: null,
    example: null,
    server: null,
    change: null,
  };
  return { finding, example };
}

export const describeRule = (rule: CompiledRule) => ({
  rule: rule.id,
  title: rule.title,
  kind: rule.kind,
  area: rule.area,
  strength: rule.strength,
});

/** With `part`, only groups that are inside of it count; null means the whole snapshot, with its exact totals. */
export function buildGroupFindings(
  compiled: CompiledPolicy,
  groups: Record<string, GroupAnswer>,
  total: Total,
  part: GroupPart | null,
): RuleFinding[] {
  return listGroupRules(compiled).flatMap((rule) => {
    const whole = groups[rule.id];
    if (!whole) return [];
    const answer = part === null ? whole : limitToPart(whole, part);
    return [
      {
        ...describeRule(rule),
        strength:
          findStrictest(
            compiled,
            rule.id,
            answer.groups.filter((group) => !group.exempt),
          ) ?? rule.strength,
        status: answer.status,
        keys: answer.keys,
        bytes: toKnownBytes(answer),
        shareKeys: computeShare(answer.keys, total.keys),
        shareBytes: computeShare(answer.bytes, total.bytes),
        exemptKeys: answer.exemptKeys,
        // Unknown keys are counted only for the whole snapshot; a part has at most all of its keys.
        unknownKeys: part === null ? answer.unknownKeys : Math.min(answer.unknownKeys, total.keys),
        ...(answer.missing && { missing: answer.missing }),
        groups: answer.total,
        example: answer.groups.find((group) => !group.exempt)?.example ?? null,
        server: null,
        change: null,
      },
    ];
  });
}

/** The strictest strength among the profiles whose names the groups may contain; null: there is no group. */
function findStrictest(compiled: CompiledPolicy, rule: string, groups: readonly GroupFinding[]): Strength | null {
  const strengths = compiled.profiles.map(({ groupRules }) => groupRules.find(({ id }) => id === rule)?.strength);
  const findStrictestIn = (among: readonly (Strength | undefined)[]) =>
    STRENGTHS.find((strength) => among.includes(strength)) ?? null;
  if (new Set(strengths.filter(Boolean)).size < 2) return findStrictestIn(strengths);
  // Names of a group begin with the text before the first folded segment of its path. A group without a path may be
  // anywhere.
  const prefixes = [...new Set(groups.map(({ path }) => path?.split(/[{\\]/, 1)[0] ?? ''))];
  const zones = compiled.zones.filter((zone) => prefixes.some((prefix) => hasNamesBelow(zone, prefix)));
  return findStrictestIn(zones.map(({ profile }) => strengths[profile]));
}

function limitToPart(answer: GroupAnswer, part: GroupPart): GroupAnswer {
  const groups = answer.groups.filter(part.holds);
  const open = groups.filter((group) => !group.exempt);
  const sum = (among: readonly GroupFinding[], of: 'keys' | 'bytes') =>
    among.reduce((n, group) => n + (group[of] ?? 0), 0);
  // Groups that were not stored and keys that could not be evaluated may be inside of the part, and groups that are
  // larger than it may have keys in it.
  const stored = answer.groups.filter((group) => !group.exempt);
  const notEvaluated = answer.unknownKeys > 0 || answer.total > stored.length || stored.some(part.mayHold);
  const statusWithoutGroups = answer.status === 'violated' ? (notEvaluated ? 'unknown' : 'passed') : answer.status;
  return {
    ...answer,
    groups,
    status: open.length > 0 ? 'violated' : statusWithoutGroups,
    total: open.length,
    keys: sum(open, 'keys'),
    bytes: sum(open, 'bytes'),
    exemptKeys: sum(groups, 'keys') - sum(open, 'keys'),
  };
}

/** Compares by strength, then by keys (most first), then violated rules before others. */
export function compareHeaviestFirst(a: RuleFinding, b: RuleFinding): number {
  return (
    STRENGTHS.indexOf(a.strength) - STRENGTHS.indexOf(b.strength) ||
    (b.keys ?? 0) - (a.keys ?? 0) ||
    Number(b.status === 'violated') - Number(a.status === 'violated') ||
    (a.rule < b.rule ? -1 : 1)
  );
}
