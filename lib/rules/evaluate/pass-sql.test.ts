import { expect, it } from 'vitest';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { compileZones } from '@/lib/rules/policy/zones';
import { presets } from '@/lib/rules/profiles/presets';
import { groupZonesByProfile } from './pass-sql';

it('asks each profile once, of exactly its ranges of names, however many prefixes have it', () => {
  const bodies = ['default', 'S1', 'S2'].map((id) => ({ id, body: presets.get(id)! }));
  const policy: EffectivePolicy = {
    ...{ hash: 'h', profiles: bodies, base: 0, exemptions: [] },
    prefixes: [
      ...Array.from({ length: 40 }, (_, i) => ({ prefix: `p${i}:`, profile: 1 + (i % 2) })),
      { prefix: 'p7:own:', profile: 0 },
    ],
    owners: [{ prefix: 'p3:x:', team: 't' }],
  };
  const zones = compileZones(policy);
  const runs = groupZonesByProfile(zones);
  expect(runs.map((run) => run.profile).sort()).toEqual([0, 1, 2]);
  expect(runs.flatMap((run) => run.zones.map(({ index }) => index)).sort((a, b) => a - b)).toEqual([...zones.keys()]);
  for (const { profile, ranges, zones: mine } of runs) {
    expect(mine.every(({ index, zone }) => zone === zones[index] && zone.profile === profile)).toBe(true);
    const holds = (name: string, { from, to }: { from: string; to: string | null }) =>
      name >= from && (to === null || name < to);
    for (const name of ['', 'a', ...policy.prefixes.map((p) => `${p.prefix}1`), 'p3:x:1', 'p7:own', 'p9;', 'zz'])
      expect([name, ranges.filter((range) => holds(name, range)).length]).toEqual([
        name,
        mine.filter(({ zone }) => holds(name, zone)).length,
      ]);
    // Neighbouring ranges are merged.
    expect(ranges.every((range, i) => i === 0 || ranges[i - 1]!.to !== range.from)).toBe(true);
  }
});
