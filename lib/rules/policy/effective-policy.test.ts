import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Assignment, Exemption, PrefixOwner } from '@/lib/model/rules/policy';
import { presets } from '@/lib/rules/profiles/presets';
import { runTransaction } from '@/lib/store/open-store';
import { putAssignmentRow } from '@/lib/store/policies/assignments';
import { putExemptionRow } from '@/lib/store/policies/exemptions';
import { putOwnerRow } from '@/lib/store/policies/owners';
import { putProfileRow } from '@/lib/store/policies/profiles';
import { temporaryData } from '@/test/temporary-data';
import { getEffectivePolicy, toPolicy } from './effective-policy';
import { createPolicyHasher } from './policy-hashes';

const NOW = 1_800_000_000_000;
const exemption = (id: string, more: Partial<Exemption> = {}): Exemption => ({
  id,
  instanceId: 'i1',
  rules: ['T1'],
  prefixes: [`${id}:`],
  patterns: [],
  owner: 'vera',
  reason: 'until the move',
  expiresAt: null,
  createdAt: 1,
  createdBy: 'vera',
  ...more,
});
const owner = (id: string, more: Partial<PrefixOwner> = {}): PrefixOwner => ({
  id,
  instanceId: 'i1',
  prefix: `${id}:`,
  team: `team ${id}`,
  ...more,
});
const own = { ...presets.get('S1')!, name: 'own' };

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

/** The hash must be the same for one instance and for all at once. */
async function policyOfOne() {
  const policy = await getEffectivePolicy('i1', NOW);
  expect((await createPolicyHasher(NOW))('i1')).toBe(policy.hash);
  return policy;
}

interface World {
  assignment: Assignment;
  exemptions: Exemption[];
  owners: PrefixOwner[];
}
/** Returns the hash after the tables are emptied and the rows inserted in this order. */
async function computeHash({ assignment, exemptions, owners }: World): Promise<string> {
  await runTransaction(async (tx) => {
    for (const table of ['assignments', 'exemptions', 'owners'] as const) await tx.deleteFrom(table).execute();
    await putAssignmentRow('i1', assignment, tx);
    for (const row of exemptions) await putExemptionRow(row, tx);
    for (const row of owners) await putOwnerRow(row, tx);
  });
  return (await policyOfOne()).hash;
}

const ids = (prefix: string) =>
  fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { maxLength: 6 }).map((all) => all.map((n) => `${prefix}${n}`));
const world: fc.Arbitrary<World> = fc.record({
  assignment: fc.record({
    profileId: fc.constantFrom(...presets.keys()),
    prefixes: ids('p').chain((all) =>
      fc.tuple(
        ...all.map((prefix) =>
          fc.record({ prefix: fc.constant(prefix), profileId: fc.constantFrom(...presets.keys()) }),
        ),
      ),
    ),
  }),
  exemptions: ids('e').map((all) => all.map((id) => exemption(id))),
  owners: ids('o').map((all) => all.map((id) => owner(id))),
});
const shuffled = ({ assignment, exemptions, owners }: World): fc.Arbitrary<World> => {
  const mixed = <T>(items: T[]) => fc.shuffledSubarray(items, { minLength: items.length });
  return fc.record({
    assignment: mixed(assignment.prefixes).map((prefixes) => ({ ...assignment, prefixes })),
    exemptions: mixed(exemptions),
    owners: mixed(owners),
  });
};

describe('the hash of a policy', () => {
  it('is the same in whatever order things were written down', async () => {
    const pairs = world.chain((one) => fc.tuple(fc.constant(one), shuffled(one)));
    await fc.assert(
      fc.asyncProperty(pairs, async ([one, other]) => {
        expect(await computeHash(other)).toBe(await computeHash(one));
      }),
      { numRuns: 60 },
    );
  });

  it('is not moved by ids, people or reasons, nor by an exemption that has ended', async () => {
    const base: World = {
      assignment: { profileId: 'S1', prefixes: [] },
      exemptions: [exemption('e1')],
      owners: [owner('o1')],
    };
    const hash = await computeHash(base);
    const same = exemption('e1', {
      id: 'other',
      owner: 'otto',
      reason: 'another',
      createdAt: 9,
      createdBy: 'otto',
      expiresAt: NOW + 1,
    });
    expect(await computeHash({ ...base, exemptions: [same] })).toBe(hash);
    expect(await computeHash({ ...base, exemptions: [...base.exemptions, exemption('e2', { expiresAt: NOW })] })).toBe(
      hash,
    );
    expect(await computeHash({ ...base, owners: [owner('o1', { id: 'other' })] })).toBe(hash);
  });

  it('is the same for one exemption of several rules and places as for one of each', async () => {
    const base: World = { assignment: { profileId: 'S1', prefixes: [] }, exemptions: [], owners: [] };
    const set = exemption('e', { rules: ['T1', 'N8'], prefixes: ['a:', 'b:'], patterns: ['c*'] });
    const each = ['N8', 'T1'].flatMap((rule) => [
      exemption(`${rule}1`, { rules: [rule], prefixes: ['b:'] }),
      exemption(`${rule}2`, { rules: [rule], prefixes: ['a:'] }),
      exemption(`${rule}3`, { rules: [rule, rule], prefixes: [], patterns: ['c*', 'c*'] }),
    ]);
    expect(await computeHash({ ...base, exemptions: each })).toBe(await computeHash({ ...base, exemptions: [set] }));
  });

  it('is moved by everything that decides findings', async () => {
    const base: World = { assignment: { profileId: 'S1', prefixes: [] }, exemptions: [], owners: [] };
    const hashes = [
      await computeHash(base),
      await computeHash({ ...base, assignment: { profileId: 'S2', prefixes: [] } }),
      await computeHash({ ...base, assignment: { profileId: 'S1', prefixes: [{ prefix: 'a:', profileId: 'S2' }] } }),
      await computeHash({ ...base, assignment: { profileId: 'S1', prefixes: [{ prefix: 'b:', profileId: 'S2' }] } }),
      await computeHash({ ...base, exemptions: [exemption('e1')] }),
      await computeHash({ ...base, exemptions: [exemption('e1', { rules: ['T2'] })] }),
      await computeHash({ ...base, exemptions: [exemption('e1', { prefixes: [], patterns: ['e1:'] })] }),
      await computeHash({ ...base, owners: [owner('o1')] }),
      await computeHash({ ...base, owners: [owner('o1', { team: 'another' })] }),
      toPolicy({ ...own, rules: { ...own.rules, T1: { on: false, strength: 'advice', params: {} } } }).hash,
      toPolicy({ ...own, delimiter: '/' }).hash,
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{16}$/);
  });

  it('is the same for equal bodies whose fields come in another order', () => {
    const turned = Object.fromEntries(Object.entries(own).reverse()) as typeof own;
    turned.rules = Object.fromEntries(Object.entries(own.rules).reverse());
    expect(toPolicy(turned).hash).toBe(toPolicy(own).hash);
  });
});

describe('the policy of an instance', () => {
  it('is the default until somebody chooses', async () => {
    const policy = await policyOfOne();
    expect(policy).toMatchObject({ base: 0, prefixes: [], exemptions: [], owners: [] });
    expect(policy.profiles).toEqual([{ id: 'default', body: presets.get('default') }]);
  });

  it('takes own profiles, and prefixes point at theirs', async () => {
    await putProfileRow({ id: 'mine', body: own, updatedAt: 1 });
    await putAssignmentRow('i1', { profileId: 'mine', prefixes: [{ prefix: 'a:', profileId: 'S4' }] });
    const policy = await policyOfOne();
    expect(policy.profiles[policy.base]).toEqual({ id: 'mine', body: own });
    expect(policy.profiles[policy.prefixes[0]!.profile]?.id).toBe('S4');
  });

  it('falls back to the default when a profile is gone', async () => {
    await putAssignmentRow('i1', { profileId: 'gone', prefixes: [] });
    const policy = await policyOfOne();
    expect(policy.profiles[policy.base]?.body).toEqual(presets.get('default'));
  });

  it('counts what holds here and what holds everywhere, not what is of another instance', async () => {
    await putExemptionRow(exemption('here'));
    await putExemptionRow(exemption('all', { instanceId: null }));
    await putExemptionRow(exemption('there', { instanceId: 'i2' }));
    await putExemptionRow(exemption('past', { expiresAt: NOW - 1 }));
    await putOwnerRow(owner('o1', { prefix: 'a:', team: 'here' }));
    await putOwnerRow(owner('o2', { prefix: 'a:', team: 'everywhere', instanceId: null }));
    await putOwnerRow(owner('o0', { prefix: 'a:', team: 'there', instanceId: 'i2' }));
    await putOwnerRow(owner('o3', { prefix: 'b:', team: 'everywhere', instanceId: null }));
    const policy = await policyOfOne();
    expect(policy.exemptions.map((e) => e.prefix)).toEqual(['all:', 'here:']);
    expect(policy.owners).toEqual([
      { prefix: 'a:', team: 'here' },
      { prefix: 'b:', team: 'everywhere' },
    ]);
  });
});
