import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { FindingsReport, OwnerFindings, RuleFinding, Score, StrengthTotals } from '@/lib/model/rules/findings';
import type { Strength } from '@/lib/model/rules/rules';
import { isLimitedScan } from '@/lib/model/snapshots/is-limited-scan';
import { append } from '@/lib/model/text/append';
import { type Combination, hasRuleBit, readCombinations } from '@/lib/rules/evaluate/combinations';
import type { GroupAnswer } from '@/lib/rules/groups/counts/group-answer';
import { parseGroupPart } from '@/lib/rules/groups/group-part';
import { readGroupAnswers } from '@/lib/rules/groups/stored-groups';
import type { CompiledPolicy } from '@/lib/rules/policy/compile-policy';
import type { RulesMeta } from '@/lib/rules/policy/rules-folder';
import type { Source } from '@/lib/snapshots/query/with-source';
import { buildGroupFindings, buildKeyFindings, compareHeaviestFirst, listKeyRules, type Total } from './rule-findings';
import { computeScore, createNoScore } from './score';
import { buildServerFindings } from './server-findings';

/**
 * Returns what the rules found among the keys of a query: all keys, a prefix, a folded path, or an owner's keys. The
 * answer comes from the roll-up if that is exact, else from the keys; a running scan has no roll-up yet. The server is
 * evaluated only for the whole keyspace.
 */
export async function buildFindingsReport(
  source: Source,
  compiled: CompiledPolicy,
  meta: RulesMeta | null,
  query: ReportQuery,
): Promise<FindingsReport> {
  const began = performance.now();
  const combinations = await readCombinations(source, compiled, meta, query);
  const total = sumCombinations(combinations);
  const rules = await buildKeyFindings(source, compiled, listKeyRules(compiled), combinations, total);
  const groups = await readGroupAnswers(source, compiled, meta);
  const part = parseGroupPart(compiled, query);
  const grouped = buildGroupFindings(compiled, groups, total, part);
  const server = part === null ? await buildServerFindings(source, compiled) : [];
  append(rules, grouped);
  append(rules, server);
  rules.sort(compareHeaviestFirst);
  const isLimited = isLimitedScan(source.manifest.options);
  const owners = listOwnerFindings(compiled, combinations, groups);
  return {
    policyHash: compiled.hash,
    profiles: listUsedProfiles(compiled, part === null ? null : combinations),
    total: { ...total, bytes: toKnownBytes(total) },
    ...buildHeadline(compiled, combinations, grouped, total),
    score: isLimited ? createNoScore('part') : scoreFindings(compiled, combinations, grouped, server),
    rules,
    owners: isLimited ? owners.map((owner) => ({ ...owner, score: null })) : owners,
    previous: null,
    evaluatedInMs: meta?.evaluatedInMs ?? Math.round(performance.now() - began),
  };
}

export function sumCombinations(rows: readonly Combination[]): Total {
  const total = { keys: 0, bytes: 0, bytesUnknown: 0 };
  for (const row of rows) {
    total.keys += row.keys;
    total.bytes += row.bytes;
    total.bytesUnknown += row.bytesUnknown;
  }
  return total;
}

/** Profiles of the policy, limited to those that apply to keys of `within`; null means all. */
function listUsedProfiles(
  { profiles, base, policy }: CompiledPolicy,
  within: readonly Combination[] | null,
): FindingsReport['profiles'] {
  const toProfile = (index: number, prefix: string | null) => ({
    id: profiles[index]!.id,
    name: profiles[index]!.name,
    prefix,
    index,
  });
  const all = [toProfile(base, null), ...policy.prefixes.map(({ prefix, profile }) => toProfile(profile, prefix))];
  const used = new Set(within?.map(({ profile }) => profile));
  const shown = all.filter(({ index }) => used.has(index));
  return (shown.length === 0 ? all : shown).map(({ id, name, prefix }) => ({ id, name, prefix }));
}

/** Number of keys, and the sum of their known bytes. */
interface CountedKeys {
  keys: number;
  bytes: number;
}
type TotalsByStrength = Record<Strength | 'exempt', CountedKeys>;

/**
 * Counts for each strength the keys with at least one finding of a key rule of that strength. `exempt`: keys with at
 * least one exempted finding.
 */
export function sumByStrength(compiled: CompiledPolicy, rows: readonly Combination[]): TotalsByStrength {
  const createCount = (): CountedKeys => ({ keys: 0, bytes: 0 });
  const found: TotalsByStrength = {
    mandatory: createCount(),
    recommended: createCount(),
    advice: createCount(),
    exempt: createCount(),
  };
  const add = (totals: CountedKeys, row: Combination) => {
    totals.keys += row.keys;
    totals.bytes += row.bytes;
  };
  for (const row of rows) {
    const violated = compiled.profiles[row.profile]!.keyRules.filter((rule) => hasRuleBit(row.violated, rule));
    for (const strength of ['mandatory', 'recommended', 'advice'] as const)
      if (violated.some((rule) => rule.strength === strength)) add(found[strength], row);
    if (row.exempted !== 0n) add(found.exempt, row);
  }
  return found;
}

function buildHeadline(
  compiled: CompiledPolicy,
  rows: readonly Combination[],
  groups: readonly RuleFinding[],
  total: CountedKeys,
): Pick<FindingsReport, Strength | 'exempt'> {
  const { exempt, ...counts } = sumByStrength(compiled, rows);
  const countStrength = (strength: Strength) => withGroupRules(counts[strength], strength, groups, total);
  return {
    mandatory: countStrength('mandatory'),
    recommended: countStrength('recommended'),
    advice: countStrength('advice'),
    exempt: { ...exempt, bytes: toKnownBytes(exempt) },
  };
}

/**
 * Combines, for one strength, the keys that violate a key rule and those in groups that violate a group rule. Groups
 * are reported as sums, so it is unknown which of their keys violate a key rule too. The result is therefore the larger
 * of the two numbers, and `atLeast` is true if it may be more.
 */
function withGroupRules(
  ofKeyRules: CountedKeys,
  strength: Strength,
  groups: readonly RuleFinding[],
  total: CountedKeys,
): StrengthTotals {
  const violated = groups.filter((rule) => rule.strength === strength && rule.status === 'violated' && rule.keys);
  const findLargest = (of: 'keys' | 'bytes') =>
    Math.max(0, ...violated.map((rule) => Math.min(rule[of] ?? 0, total[of])));
  const keys = Math.max(ofKeyRules.keys, findLargest('keys'));
  const sources = violated.length + (ofKeyRules.keys > 0 ? 1 : 0);
  return {
    keys,
    bytes: toKnownBytes({ keys, bytes: Math.max(ofKeyRules.bytes, findLargest('bytes')) }),
    listed: ofKeyRules.keys,
    atLeast: violated.length > 0 && sources > 1 && keys < total.keys,
  };
}

function scoreFindings(
  compiled: CompiledPolicy,
  rows: readonly Combination[],
  groups: readonly RuleFinding[],
  server: readonly RuleFinding[],
): Score {
  // Two profiles may give the same rule different strengths, so the strength is part of the id. Group and server rules
  // get suffixes of their own, so that no id occurs twice.
  const strengths = new Map<string, Strength>();
  const titles = new Map<string, string | null>();
  const combinations = rows.map((row) => {
    const { keyRules } = compiled.profiles[row.profile]!;
    const violated = keyRules
      .filter((rule) => hasRuleBit(row.violated, rule))
      .map((rule) => {
        const id = `${rule.id}/${rule.strength}`;
        strengths.set(id, rule.strength);
        titles.set(rule.id, rule.title);
        return id;
      });
    const notEvaluated = keyRules.filter((rule) => hasRuleBit(row.notEvaluated, rule)).map((rule) => rule.strength);
    return { keys: row.keys, bytes: row.bytes, violated, notEvaluated };
  });
  const dropStrength = (id: string) => id.slice(0, id.lastIndexOf('/'));
  const result = computeScore({
    combinations,
    getStrength: (id) => strengths.get(id)!,
    toFixId: (id) => `${dropStrength(id)}/k`,
    getTitle: (id) => titles.get(dropStrength(id)) ?? null,
    groups: groups
      .filter((group) => group.status !== 'unknown')
      .map(({ rule, strength, status, keys }) => ({
        rule: `${rule}/g`,
        strength,
        violated: status === 'violated',
        keys: keys ?? 0,
      })),
    server: server.map(({ rule, strength, status }) => ({ rule: `${rule}/s`, strength, verdict: status })),
  });
  return { ...result, fixes: result.fixes.map((fix) => ({ ...fix, rule: dropStrength(fix.rule) })) };
}

function listOwnerFindings(
  compiled: CompiledPolicy,
  rows: readonly Combination[],
  groups: Record<string, GroupAnswer>,
): OwnerFindings[] {
  if (compiled.policy.owners.length === 0) return [];
  const byTeam = new Map<string | null, Combination[]>();
  for (const row of rows) {
    const { owner } = compiled.zones[row.zone]!;
    const ofTeam = byTeam.get(owner);
    if (ofTeam) ofTeam.push(row);
    else byTeam.set(owner, [row]);
  }
  return [...byTeam]
    .map(([team, ofTeam]): OwnerFindings => {
      const total = sumCombinations(ofTeam);
      const grouped = buildGroupFindings(compiled, groups, total, parseGroupPart(compiled, { owner: team ?? '-' }));
      const { exempt: _exempt, ...counts } = buildHeadline(compiled, ofTeam, grouped, total);
      return {
        team,
        keys: total.keys,
        bytes: toKnownBytes(total),
        ...counts,
        score: scoreFindings(compiled, ofTeam, grouped, []).score,
      };
    })
    .sort(
      (a, b) => b.mandatory.keys - a.mandatory.keys || b.keys - a.keys || ((a.team ?? '') < (b.team ?? '') ? -1 : 1),
    );
}
