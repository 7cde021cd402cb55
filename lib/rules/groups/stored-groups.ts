import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beginsWith } from '@/lib/model/text/begins-with';
import { matchesText } from '@/lib/model/text/glob';
import { RULES_VERSION } from '@/lib/rules/catalogue';
import {
  type GroupAnswer,
  type GroupContext,
  type GroupRule,
  MAX_GROUPS_STORED,
} from '@/lib/rules/groups/counts/group-answer';
import { type CompiledPolicy, type CompiledRule, listBaseFirst } from '@/lib/rules/policy/compile-policy';
import { listOwnedPrefixes } from '@/lib/rules/policy/owned-prefixes';
import { getRulesFolder, type RulesMeta } from '@/lib/rules/policy/rules-folder';
import { writeFileDurably } from '@/lib/snapshots/folder/durable';
import type { Source } from '@/lib/snapshots/query/with-source';
import { evaluateGroups } from './evaluate-groups';

/**
 * The group rules of a policy with the profiles in which they are on. Parameters and strength are those of the base
 * profile, if the rule is on there.
 */
export function listGroupRules(compiled: CompiledPolicy): (CompiledRule & { profiles: number[] })[] {
  const byId = new Map<string, CompiledRule & { profiles: number[] }>();
  for (const index of listBaseFirst(compiled)) {
    for (const rule of compiled.profiles[index]!.groupRules) {
      const known = byId.get(rule.id);
      if (known) known.profiles.push(index);
      else byId.set(rule.id, { ...rule, profiles: [index] });
    }
  }
  return [...byId.values()];
}

/**
 * Evaluates the group rules of a policy. The names of each profile are evaluated with its parameters and its delimiter.
 *
 * A prefix that is exempted within a group takes its keys out of the group. So rules with such exemptions are evaluated
 * again without these names, and the first answer is used only for what is exempted as a whole.
 *
 * @param rollup SQL of the roll-up; null: templates are counted from the keys.
 *
 * @param onProgress Called with the number of queries that are done.
 */
export async function evaluatePolicyGroups(
  source: Source,
  compiled: CompiledPolicy,
  rollup: string | null,
  onProgress?: (progress: { done: number; total: number }) => void,
): Promise<Record<string, GroupAnswer>> {
  const context: GroupContext = {
    ...createGroupContext(compiled),
    ...(rollup !== null && { templates: templateCountsSql(rollup, null) }),
  };
  /** The questions to ask, with or without the names in zones that are exempted from the rule. */
  const listQuestions = (withExempted: boolean) =>
    listVariants(compiled).flatMap(({ id, params, delimiter, profiles, alone }): Question[] => {
      const applicable = [...compiled.zones.keys()].filter((i) => profiles.includes(compiled.zones[i]!.profile));
      const open = applicable.filter((i) => !isExempt(compiled, i, id));
      // Without an exempted name the second answer would equal the first.
      if (!withExempted && alone && open.length === applicable.length) return [];
      const zones = withExempted ? applicable : open;
      if (zones.length === compiled.zones.length) return [{ rule: { id, params }, delimiter }];
      const ranges = zones.map((i) => compiled.zones[i]!);
      const templates = rollup === null ? {} : { templates: templateCountsSql(rollup, zones) };
      return [{ rule: { id, params, ranges, ...templates }, delimiter }];
    });
  const exemptedRules = new Set(compiled.zones.flatMap((zone) => zone.exempt));
  const first = listQuestions(true);
  const again = listQuestions(false).filter(({ rule }) => exemptedRules.has('*') || exemptedRules.has(rule.id));
  let done = 0;
  const onAnswered = () => onProgress?.({ done: ++done, total: first.length + again.length });
  const answers = await answerAll(source, first, context, onAnswered);
  for (const [id, answer] of Object.entries(await answerAll(source, again, context, onAnswered))) {
    const whole = answers[id]!;
    const open = answer.groups.filter((group) => !group.exempt);
    const exempted = whole.groups.filter((group) => group.exempt);
    answers[id] = {
      ...answer,
      groups: [...open, ...exempted].slice(0, MAX_GROUPS_STORED),
      exemptKeys: whole.exemptKeys,
    };
  }
  return answers;
}

/** Returns a hash. Policies with the same hash have the same answers of group rules. */
export function hashGroups(compiled: CompiledPolicy): string {
  const { zones, asOf, policy } = compiled;
  const parts = [RULES_VERSION, listVariants(compiled), zones, asOf, policy.exemptions, policy.owners];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

interface Question {
  rule: GroupRule;
  delimiter: string;
}
/** A group rule with the parameters and the delimiter of some profiles. */
interface Variant extends Pick<GroupRule, 'id' | 'params'> {
  delimiter: string;
  profiles: number[];
  /** True if all profiles that have the rule use the same parameters and delimiter. */
  alone: boolean;
}

function listVariants(compiled: CompiledPolicy): Variant[] {
  return listGroupRules(compiled).flatMap(({ id, profiles }) => {
    const byText = new Map<string, Omit<Variant, 'alone'>>();
    for (const index of profiles) {
      const { delimiter, groupRules } = compiled.profiles[index]!;
      const { params } = groupRules.find((rule) => rule.id === id)!;
      const text = JSON.stringify([delimiter, Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))]);
      const known = byText.get(text);
      if (known) known.profiles.push(index);
      else byText.set(text, { id, params, delimiter, profiles: [index] });
    }
    return [...byText.values()].map((variant) => ({ ...variant, alone: byText.size === 1 }));
  });
}

/**
 * Evaluates in rounds of one delimiter, with each rule at most once, so that what the rules share is counted once per
 * round.
 */
async function answerAll(
  source: Source,
  questions: Question[],
  context: GroupContext,
  onAnswered: () => void,
): Promise<Record<string, GroupAnswer>> {
  const answers: Record<string, GroupAnswer> = {};
  for (let left = questions; left.length > 0; ) {
    const { delimiter } = left[0]!;
    const seen = new Set<string>();
    const round = left.filter((question) => {
      if (question.delimiter !== delimiter || seen.has(question.rule.id)) return false;
      seen.add(question.rule.id);
      return true;
    });
    left = left.filter((question) => !round.includes(question));
    const rules = round.map(({ rule }) => rule);
    const found = await evaluateGroups(source, rules, { ...context, delimiter }, onAnswered);
    for (const [id, answer] of Object.entries(found)) {
      const before = answers[id];
      answers[id] = before === undefined ? answer : mergeAnswers(before, answer);
    }
  }
  return answers;
}

/** Merges two answers of the same rule about different names. */
function mergeAnswers(one: GroupAnswer, other: GroupAnswer): GroupAnswer {
  const groups = [...one.groups, ...other.groups];
  groups.sort((a, b) => Number(a.exempt) - Number(b.exempt) || b.keys - a.keys);
  const statuses = [one.status, other.status];
  return {
    status: statuses.includes('violated') ? 'violated' : statuses.includes('unknown') ? 'unknown' : 'passed',
    groups: groups.slice(0, MAX_GROUPS_STORED),
    total: one.total + other.total,
    keys: one.keys + other.keys,
    bytes: one.bytes + other.bytes,
    exemptKeys: one.exemptKeys + other.exemptKeys,
    unknownKeys: one.unknownKeys + other.unknownKeys,
    ...((one.missing ?? other.missing) && { missing: one.missing ?? other.missing }),
  };
}

function isExempt(compiled: CompiledPolicy, zone: number, rule: string): boolean {
  const { exempt } = compiled.zones[zone]!;
  return exempt.includes('*') || exempt.includes(rule);
}

/**
 * SQL for the counts by template. A template may have names in several zones; `zones` limits the counts to these zones,
 * and null means all.
 */
const templateCountsSql = (rollup: string, zones: readonly number[] | null) =>
  `(SELECT template, rest, styles, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes, min(firstName) AS firstName FROM ${rollup}
    ${zones === null ? '' : `WHERE zone IN (${zones.length === 0 ? 'NULL' : zones.join(', ')})`} GROUP BY 1, 2, 3)`;

function createGroupContext(compiled: CompiledPolicy): GroupContext {
  const { exemptions } = compiled.policy;
  const owners = listOwnedPrefixes(compiled.policy);
  const isAbout = (rule: string, exempted: string) => exempted === '*' || exempted === rule;
  return {
    asOf: compiled.asOf,
    delimiter: compiled.profiles[compiled.base]!.delimiter,
    findOwner: (name) =>
      owners.filter((owner) => beginsWith(name, owner.prefix)).sort((a, b) => b.prefix.length - a.prefix.length)[0]
        ?.team ?? null,
    exempt: (rule, name) =>
      exemptions.some((e) => e.prefix !== null && isAbout(rule, e.rule) && beginsWith(name, e.prefix)) ||
      compiled.patterns.some(({ rules, glob }) => rules.some((id) => isAbout(rule, id)) && matchesText(glob, name)),
  };
}

const GROUPS_FILE = 'groups.json';

export const writeGroups = (folder: string, groups: Record<string, GroupAnswer>): Promise<void> =>
  writeFileDurably(path.join(folder, GROUPS_FILE), JSON.stringify(groups));

export async function readStoredGroups(dir: string, hash: string): Promise<Record<string, GroupAnswer>> {
  return JSON.parse(await readFile(path.join(getRulesFolder(dir, hash), GROUPS_FILE), 'utf8'));
}

/** The answers under a policy: stored ones, or computed now if `meta` is null because the scan still runs. */
export const readGroupAnswers = (
  source: Source,
  compiled: CompiledPolicy,
  meta: RulesMeta | null,
): Promise<Record<string, GroupAnswer>> =>
  meta === null ? evaluatePolicyGroups(source, compiled, null) : readStoredGroups(source.dir, meta.hash);
