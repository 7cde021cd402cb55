import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { beginsWith, listEscapeBounds, listShownForms } from '@/lib/model/text/begins-with';
import { endsInWord } from '@/lib/model/text/ends-in-word';
import { toWellFormed } from '@/lib/model/text/to-well-formed';
import { findNextPrefix } from '@/lib/snapshots/key-query/next-prefix';
import { listOwnedPrefixes } from './owned-prefixes';

/**
 * Names are sorted by their UTF-8 bytes, so a prefix is a range of them, or several if it ends where an escape may
 * begin. All prefixes of a policy together cut the
 * names into disjoint ranges in which nothing changes: the profile and the owner come from the longest matching prefix,
 * and the exemptions from all matching ones.
 */
export interface Zone {
  /** First name of the zone, included. */
  from: string;
  /** First name after the zone; null means that it reaches to the end. */
  to: string | null;
  /** Index into the profiles of the compiled policy. */
  profile: number;
  /** Ids of exempted rules; `*` = all. Sorted. */
  exempt: string[];
  owner: string | null;
}

const compareNameBytes = (a: string, b: string) => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)));

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
  // Names that equal a registered prefix. The end is right after them, because no name in display form has a control
  // character.
  const itself = new Map(
    policy.owners.flatMap((o): [string, string][] => (endsInWord(o.prefix) ? [[toWellFormed(o.prefix), o.team]] : [])),
  );
  for (const name of itself.keys()) starts.add(name).add(`${name}\u0001`);
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
      owner: itself.get(from) ?? ownerAt(from),
    };
    const before = zones.at(-1);
    if (before && isSameZone(before, zone)) before.to = zone.to;
    else zones.push(zone);
  });
  return zones;
}

const isSameZone = (a: Zone, b: Zone) =>
  a.profile === b.profile && a.owner === b.owner && a.exempt.join() === b.exempt.join();

/** Everything is the same within a zone, so it is enough to look up the beginnings of the name at its start. */
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

function groupByForm<T extends { prefix: string }>(entries: readonly T[]): Map<string, T[]> {
  const byForm = new Map<string, T[]>();
  for (const entry of entries)
    for (const form of listShownForms(entry.prefix)) byForm.set(form, [...(byForm.get(form) ?? []), entry]);
  return byForm;
}

/** Whether names that begin with `prefix` may be in the zone. */
export function hasNamesBelow({ from, to }: Zone, prefix: string): boolean {
  const next = findNextPrefix(prefix);
  return (to === null || compareNameBytes(to, prefix) > 0) && (next === null || compareNameBytes(from, next) < 0);
}
