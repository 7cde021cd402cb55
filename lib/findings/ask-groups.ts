import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Source } from '@/lib/snapshots/with-source';
import type { CompiledPolicy, CompiledRule } from './compile-policy';
import { evaluateGroups } from './groups/evaluate-groups';
import { type GroupAnswer, type GroupContext, type GroupRule, MOST_KEPT } from './groups/group-answer';
import { matchGlob } from './match-glob';
import { rulesFolder } from './rules-folder';

/** The group rules of a policy, asked where they are on; the base profile's thresholds come first. */
export function groupRulesOf(compiled: CompiledPolicy): (CompiledRule & { profiles: number[] })[] {
  const order = [compiled.base, ...compiled.profiles.keys()].filter((p, i, all) => all.indexOf(p) === i);
  const byId = new Map<string, CompiledRule & { profiles: number[] }>();
  for (const index of order) {
    for (const rule of compiled.profiles[index]!.groupRules) {
      const known = byId.get(rule.id);
      if (known) known.profiles.push(index);
      else byId.set(rule.id, { ...rule, profiles: [index] });
    }
  }
  return [...byId.values()];
}

/**
 * A prefix exempted within a group takes its keys out of the group: rules with such exemptions are asked once more without these
 * names, and the first answer only tells what is exempted as a whole.
 */
export async function askGroups(
  source: Source,
  compiled: CompiledPolicy,
  rollup: string | null,
): Promise<Record<string, GroupAnswer>> {
  const context: GroupContext = {
    ...contextOf(compiled),
    ...(rollup !== null && { templates: templatesOf(rollup, null) }),
  };
  const among = (exemptToo: boolean) =>
    groupRulesOf(compiled).flatMap((rule): GroupRule[] => {
      const { id, params } = rule;
      const here = [...compiled.zones.keys()].filter((i) => rule.profiles.includes(compiled.zones[i]!.profile));
      const open = here.filter((i) => !isExempt(compiled, i, id));
      if (!exemptToo && open.length === here.length) return [];
      const zones = exemptToo ? here : open;
      if (zones.length === compiled.zones.length) return [{ id, params }];
      const ranges = zones.map((i) => compiled.zones[i]!);
      return [{ id, params, ranges, ...(rollup !== null && { templates: templatesOf(rollup, zones) }) }];
    });
  const answers = await evaluateGroups(source, among(true), context);
  const narrowed = await evaluateGroups(source, among(false), context);
  for (const [id, answer] of Object.entries(narrowed)) {
    const whole = answers[id]!;
    const open = answer.groups.filter((group) => !group.exempt);
    const excused = whole.groups.filter((group) => group.exempt);
    answers[id] = { ...answer, groups: [...open, ...excused].slice(0, MOST_KEPT), exemptKeys: whole.exemptKeys };
  }
  return answers;
}

function isExempt(compiled: CompiledPolicy, zone: number, rule: string): boolean {
  const { exempt } = compiled.zones[zone]!;
  return exempt.includes('*') || exempt.includes(rule);
}

/** A template may have names in several zones; `zones`: only those. */
const templatesOf = (rollup: string, zones: readonly number[] | null) =>
  `(SELECT template, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes, min(firstName) AS firstName FROM ${rollup}
    ${zones === null ? '' : `WHERE zone IN (${zones.length === 0 ? 'NULL' : zones.join(', ')})`} GROUP BY 1)`;

function contextOf(compiled: CompiledPolicy): GroupContext {
  const { owners, exemptions } = compiled.policy;
  const globs = exemptions.flatMap(({ rule, pattern }) => (pattern === null ? [] : [{ rule, pattern }]));
  const about = (rule: string, other: string) => other === '*' || other === rule;
  return {
    asOf: compiled.asOf,
    delimiter: compiled.profiles[compiled.base]!.delimiter,
    ownerOf: (name) =>
      owners.filter((owner) => name.startsWith(owner.prefix)).sort((a, b) => b.prefix.length - a.prefix.length)[0]
        ?.team ?? null,
    exempt: (rule, name) =>
      exemptions.some((e) => e.prefix !== null && about(rule, e.rule) && name.startsWith(e.prefix)) ||
      globs.some((glob) => about(rule, glob.rule) && matchGlob(glob.pattern, name)),
  };
}

export async function readGroups(dir: string, hash: string): Promise<Record<string, GroupAnswer>> {
  return JSON.parse(await readFile(path.join(rulesFolder(dir, hash), 'groups.json'), 'utf8'));
}
