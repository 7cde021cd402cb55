import { knownBytes } from '@/lib/model/keys/known-bytes';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { FindingsReport, OwnerFindings, RuleFinding, Score } from '@/lib/model/rules/findings';
import type { Strength } from '@/lib/model/rules/rules';
import { isPartialScan } from '@/lib/model/snapshots/is-partial-scan';
import { append } from '@/lib/model/text/append';
import { type Combination, combinationsOf, has } from '@/lib/rules/evaluate/combinations';
import type { GroupAnswer } from '@/lib/rules/groups/counts/group-answer';
import { partOf } from '@/lib/rules/groups/group-part';
import { askGroups, readStoredGroups } from '@/lib/rules/groups/stored-groups';
import type { CompiledPolicy } from '@/lib/rules/policy/compile-policy';
import type { RulesMeta } from '@/lib/rules/policy/rules-folder';
import type { Source } from '@/lib/snapshots/query/with-source';
import { expiryShare } from './expiry-share';
import { judgedServer } from './judged-server';
import { groupFindings, heaviestFirst, keyFindings, keyRulesOf, serverFindings, type Total } from './rule-findings';
import { noScore, score } from './score';
import { type CountedKeys, withGroupRules } from './with-group-rules';

/**
 * Returns what the rules found among the keys of a query: all keys, a prefix, a folded path, or an owner's keys. The
 * answer comes from the roll-up if that is exact, else from the keys; a running scan has no roll-up yet. The server is
 * evaluated only for the whole keyspace.
 */
export async function findingsReport(
  source: Source,
  compiled: CompiledPolicy,
  meta: RulesMeta | null,
  query: ReportQuery,
): Promise<FindingsReport> {
  const began = performance.now();
  const combinations = await combinationsOf(source, compiled, meta, query);
  const total = sum(combinations);
  const rules = await keyFindings(source, compiled, keyRulesOf(compiled), combinations, total);
  const groups =
    meta === null ? await askGroups(source, compiled, null) : await readStoredGroups(source.dir, meta.hash);
  const part = partOf(compiled, query);
  const whole = part === null;
  const grouped = groupFindings(compiled, groups, total, part);
  const server = whole ? serverFindings(compiled, await judgedServer(source, compiled, await expiryShare(source))) : [];
  append(rules, grouped);
  append(rules, server);
  rules.sort(heaviestFirst);
  const ofPart = isPartialScan(source.manifest.options);
  const owners = ownersOf(compiled, combinations, groups);
  return {
    policyHash: compiled.hash,
    profiles: profilesOf(compiled, part === null ? null : combinations),
    total: { ...total, bytes: knownBytes(total) },
    ...headline(compiled, combinations, grouped, total),
    score: ofPart ? noScore('part') : scoreOf(compiled, combinations, grouped, server),
    rules,
    owners: ofPart ? owners.map((owner) => ({ ...owner, score: null })) : owners,
    previous: null,
    evaluatedInMs: meta?.evaluatedInMs ?? Math.round(performance.now() - began),
  };
}

export function sum(rows: readonly Combination[]): Total {
  const total = { keys: 0, bytes: 0, bytesUnknown: 0 };
  for (const row of rows) {
    total.keys += row.keys;
    total.bytes += row.bytes;
    total.bytesUnknown += row.bytesUnknown;
  }
  return total;
}

/** Profiles of the policy, limited to those that apply to keys of `within`; null means all. */
function profilesOf(
  { profiles, base, policy }: CompiledPolicy,
  within: readonly Combination[] | null,
): FindingsReport['profiles'] {
  const named = (index: number, prefix: string | null) => ({
    id: profiles[index]!.id,
    name: profiles[index]!.name,
    prefix,
    index,
  });
  const all = [named(base, null), ...policy.prefixes.map(({ prefix, profile }) => named(profile, prefix))];
  const judging = new Set(within?.map(({ profile }) => profile));
  const meant = all.filter(({ index }) => judging.has(index));
  return (meant.length === 0 ? all : meant).map(({ id, name, prefix }) => ({ id, name, prefix }));
}

type TotalsByStrength = Record<Strength | 'exempt', CountedKeys>;

/**
 * For each strength: keys with at least one finding of a key rule of that strength. `exempt`: keys with at least one
 * exempted finding.
 */
export function totalsByStrength(compiled: CompiledPolicy, rows: readonly Combination[]): TotalsByStrength {
  const none = (): CountedKeys => ({ keys: 0, bytes: 0 });
  const found: TotalsByStrength = { mandatory: none(), recommended: none(), advice: none(), exempt: none() };
  const add = (totals: CountedKeys, row: Combination) => {
    totals.keys += row.keys;
    totals.bytes += row.bytes;
  };
  for (const row of rows) {
    const violated = compiled.profiles[row.profile]!.keyRules.filter((rule) => has(row.violated, rule));
    for (const strength of ['mandatory', 'recommended', 'advice'] as const)
      if (violated.some((rule) => rule.strength === strength)) add(found[strength], row);
    if (row.exempted !== 0n) add(found.exempt, row);
  }
  return found;
}

function headline(
  compiled: CompiledPolicy,
  rows: readonly Combination[],
  groups: readonly RuleFinding[],
  total: CountedKeys,
): Pick<FindingsReport, Strength | 'exempt'> {
  const { exempt, ...counts } = totalsByStrength(compiled, rows);
  const of = (strength: Strength) => withGroupRules(counts[strength], strength, groups, total);
  return {
    mandatory: of('mandatory'),
    recommended: of('recommended'),
    advice: of('advice'),
    exempt: { ...exempt, bytes: knownBytes(exempt) },
  };
}

export function scoreOf(
  compiled: CompiledPolicy,
  rows: readonly Combination[],
  groups: readonly RuleFinding[],
  server: readonly RuleFinding[],
): Score {
  // Two profiles may give the same rule different strengths, so the strength is part of the id.
  const strengths = new Map<string, Strength>();
  const titles = new Map<string, string | null>();
  const combinations = rows.map((row) => {
    const { keyRules } = compiled.profiles[row.profile]!;
    const violated = keyRules
      .filter((rule) => has(row.violated, rule))
      .map((rule) => {
        const id = `${rule.id}/${rule.strength}`;
        strengths.set(id, rule.strength);
        titles.set(rule.id, rule.title);
        return id;
      });
    const notEvaluated = keyRules.filter((rule) => has(row.notEvaluated, rule)).map((rule) => rule.strength);
    return { keys: row.keys, bytes: row.bytes, violated, notEvaluated };
  });
  const plain = (id: string) => id.slice(0, id.lastIndexOf('/'));
  const result = score({
    combinations,
    strengthOf: (id) => strengths.get(id)!,
    fixOf: (id) => `${plain(id)}/k`,
    titleOf: (id) => titles.get(plain(id)) ?? null,
    groups: groups
      .filter((group) => group.status !== 'unknown')
      .map((g) => ({
        rule: `${g.rule}/g`,
        strength: g.strength,
        violated: g.status === 'violated',
        keys: g.keys ?? 0,
      })),
    server: server.map((s) => ({ rule: `${s.rule}/s`, strength: s.strength, verdict: s.status })),
  });
  return { ...result, fixes: result.fixes.map((fix) => ({ ...fix, rule: plain(fix.rule) })) };
}

function ownersOf(
  compiled: CompiledPolicy,
  rows: readonly Combination[],
  groups: Record<string, GroupAnswer>,
): OwnerFindings[] {
  if (compiled.policy.owners.length === 0) return [];
  const byTeam = new Map<string | null, Combination[]>();
  for (const row of rows) {
    const { owner } = compiled.zones[row.zone]!;
    const own = byTeam.get(owner);
    if (own) own.push(row);
    else byTeam.set(owner, [row]);
  }
  return [...byTeam]
    .map(([team, own]): OwnerFindings => {
      const total = sum(own);
      const theirs = groupFindings(compiled, groups, total, partOf(compiled, { owner: team ?? '-' }));
      const { exempt: _exempt, ...counts } = headline(compiled, own, theirs, total);
      return {
        team,
        keys: total.keys,
        bytes: knownBytes(total),
        ...counts,
        score: scoreOf(compiled, own, theirs, []).score,
      };
    })
    .sort(
      (a, b) => b.mandatory.keys - a.mandatory.keys || b.keys - a.keys || ((a.team ?? '') < (b.team ?? '') ? -1 : 1),
    );
}
