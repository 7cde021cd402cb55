import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { beginsWith, listEscapeBounds, listShownForms } from '@/lib/model/text/begins-with';
import { endsInWord } from '@/lib/model/text/ends-in-word';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { compareNameBytes, type NameRange } from '@/lib/snapshots/key-query/name-range';
import { findNextPrefix } from '@/lib/snapshots/key-query/next-prefix';
import type { Where } from '@/lib/snapshots/key-query/where-clause';
import { listOwnedPrefixes } from './owned-prefixes';

/**
 * A range of names in which profile, owner and exemptions are the same. A prefix is a range of the sorted names, or
 * several if it ends where an escape may begin, so all prefixes of a policy together cut the names into such ranges.
 * The profile and the owner come from the longest matching prefix, and the exemptions from all matching ones.
 */
export interface Zone extends NameRange {
  /** Index into the profiles of the compiled policy. */
  profile: number;
  /** Ids of exempted rules; `*` = all. Sorted. */
  exempt: string[];
  owner: string | null;
}

/** Whether a range contains a name. */
export const isInRange = (name: string, { from, to }: NameRange) =>
  compareNameBytes(name, from) >= 0 && (to === null || compareNameBytes(name, to) < 0);

export function compileZones(policy: EffectivePolicy): Zone[] {
  const prefixes = policy.prefixes.map((p) => ({ ...p, prefix: toWellFormed(p.prefix) }));
  const owners = listOwnedPrefixes(policy).map((o) => ({ ...o, prefix: toWellFormed(o.prefix) }));
  const exemptions = policy.exemptions.flatMap((e) =>
    e.prefix === null ? [] : [{ rule: e.rule, prefix: toWellFormed(e.prefix) }],
  );
  const starts = new Set(['']);
  for (const { prefix } of [...prefixes, ...owners, ...exemptions]) {
    for (const form of listShownForms(prefix)) {
      starts.add(form);
      const next = findNextPrefix(form);
      if (next !== null && form !== '') starts.add(next);
    }
    for (const bound of listEscapeBounds(prefix)) starts.add(bound);
  }
  // Names that equal a registered prefix. No name in display form has a control character, so the name with U+0001
  // appended is the end of a range that contains only the name.
  const teamOfName = new Map(
    policy.owners.flatMap((o): [string, string][] => (endsInWord(o.prefix) ? [[toWellFormed(o.prefix), o.team]] : [])),
  );
  for (const name of teamOfName.keys()) starts.add(name).add(`${name}\u0001`);
  const sorted = [...starts].sort(compareNameBytes);
  const profileAt = findLongest(prefixes, (p) => p.profile);
  const ownerAt = findLongest(owners, (o) => o.team);
  const exemptAt = findAll(exemptions);
  const zones: Zone[] = [];
  sorted.forEach((from, i) => {
    const zone: Zone = {
      from,
      to: sorted[i + 1] ?? null,
      profile: profileAt(from) ?? policy.base,
      exempt: exemptAt(from),
      owner: teamOfName.get(from) ?? ownerAt(from),
    };
    const before = zones.at(-1);
    if (before && isSameZone(before, zone)) before.to = zone.to;
    else zones.push(zone);
  });
  return zones;
}

const isSameZone = (a: Zone, b: Zone) =>
  a.profile === b.profile && a.owner === b.owner && a.exempt.join() === b.exempt.join();

/**
 * Returns a function for the value of the longest prefix that a name begins with. Everything is the same within a zone,
 * so it is enough to ask for the first name of each.
 */
function findLongest<T extends { prefix: string }, V>(entries: readonly T[], value: (entry: T) => V) {
  const byForm = groupByForm(entries);
  return (name: string): V | null => {
    for (let end = name.length; end >= 0; end--) {
      const found = byForm.get(name.slice(0, end))?.findLast(({ prefix }) => beginsWith(name, prefix));
      if (found !== undefined) return value(found);
    }
    return null;
  };
}

/** Returns a function for the sorted rules of all prefixes that a name begins with; `*` replaces all others. */
function findAll(entries: readonly { rule: string; prefix: string }[]) {
  const byForm = groupByForm(entries);
  return (name: string): string[] => {
    const rules = new Set<string>();
    for (let end = 0; end <= name.length; end++)
      for (const { rule, prefix } of byForm.get(name.slice(0, end)) ?? [])
        if (beginsWith(name, prefix)) rules.add(rule);
    return rules.has('*') ? ['*'] : [...rules].sort();
  };
}

/** The entries by each text that a displayed name with their prefix may begin with. */
function groupByForm<T extends { prefix: string }>(entries: readonly T[]): Map<string, T[]> {
  const byForm = new Map<string, T[]>();
  for (const entry of entries)
    for (const form of listShownForms(entry.prefix)) byForm.set(form, [...(byForm.get(form) ?? []), entry]);
  return byForm;
}

/** Binds the values of a statement. */
export type Binder = Pick<Where, 'bind'>;

/** SQL that is true for names in one of the ranges. */
export function inRangesSql(where: Binder, ranges: readonly NameRange[]): string {
  const terms = ranges.map(({ from, to }) => {
    const low = `name >= ${where.bind(from)}::VARCHAR`;
    return to === null ? low : `(${low} AND name < ${where.bind(to)}::VARCHAR)`;
  });
  return terms.length === 0 ? 'false' : `(${terms.join(' OR ')})`;
}

/** Whether names that begin with `prefix` may be in the zone. */
export function hasNamesBelow({ from, to }: Zone, prefix: string): boolean {
  const next = findNextPrefix(prefix);
  return (to === null || compareNameBytes(to, prefix) > 0) && (next === null || compareNameBytes(from, next) < 0);
}
