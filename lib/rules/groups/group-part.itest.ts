import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { UNKNOWN } from '@/lib/model/snapshots/facts-page';
import { readFindings, readRuleFindings } from '@/lib/rules/findings/read-findings';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { AS_OF, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';

/** The snapshot has a storm of `shop:cart:`, one of the names without a delimiter, and one tag with too many keys. */
let data: Awaited<ReturnType<typeof dataFolder>>;
let ref: SnapshotRef;
const policy: EffectivePolicy = {
  ...toPolicy({
    ...presets.get('default')!,
    rules: {
      T1: { on: true, strength: 'mandatory', params: {} },
      T4: { on: true, strength: 'mandatory', params: {} },
      N22: { on: true, strength: 'recommended', params: { keys: 100 } },
      C7: { on: true, strength: 'recommended', params: {} },
    },
  }),
  owners: [
    { prefix: 'shop:', team: 'shop' },
    { prefix: 'shop:cart:9', team: 'nines' },
    { prefix: 'user:', team: 'people' },
  ],
  hash: '00000000000000b1',
};

beforeAll(async () => {
  data = await dataFolder();
  const [row] = madeRows(1, 1);
  const named = (name: string, expireAt: number, type = 'string') => ({
    ...row!,
    bytesOfName: Buffer.from(name),
    node: 0,
    db: 0,
    type,
    expireAt,
    bytes: 100,
  });
  const soon = AS_OF + 3_600_000;
  const spread = (i: number) => AS_OF + i * 600_000 + 1;
  ref = await makeSealed(data.root, 'parts', [
    ...Array.from({ length: 300 }, (_, i) => named(`shop:cart:${i + 700}`, soon)),
    ...Array.from({ length: 150 }, (_, i) => named(`alone${i}`, soon + 3_600_000)),
    ...Array.from({ length: 200 }, (_, i) => named(`user:{all}:${i}`, spread(i), i < 50 ? 'hash' : 'string')),
    ...Array.from({ length: 20 }, (_, i) => named(`quiet:${i}`, spread(i + 20))),
  ]);
});
afterAll(() => data.clean());

async function reported(rule: string, query: ReportQuery) {
  const inList = (await readFindings(ref, policy, query)).rules.find((one) => one.rule === rule)!;
  const { finding, groups } = await readRuleFindings(ref, policy, rule, query);
  expect(finding).toEqual(inList);
  return [finding.status, finding.keys, groups.length];
}

it.each<[string, ReportQuery, unknown[]]>([
  ['the whole', {}, ['violated', 450, 2]],
  ['the path of the group', { template: 'shop:cart:' }, ['violated', 300, 1]],
  ['above it', { prefix: 'shop:' }, ['violated', 300, 1]],
  // The storm is reported for shop:cart: as a whole, and all of its keys may be in these parts.
  ['below it', { prefix: 'shop:cart:7' }, ['unknown', 0, 0]],
  ['ids below it', { template: 'shop:cart:{int}' }, ['unknown', 0, 0]],
  ['one key below it', { prefix: 'shop:cart:707' }, ['unknown', 0, 0]],
  ['a part of the names without a delimiter', { prefix: 'alone1' }, ['unknown', 0, 0]],
  ['beside it', { prefix: 'quiet:' }, ['passed', 0, 0]],
  ['beside it, by its path', { template: 'user:' }, ['passed', 0, 0]],
  ['its owner', { owner: 'shop' }, ['violated', 300, 1]],
  ['an owner of a part of it', { owner: 'nines' }, ['unknown', 0, 0]],
  ['an owner beside it', { owner: 'people' }, ['passed', 0, 0]],
])('storms of %s', async (_name, query, expected) => {
  expect(await reported('T4', query)).toEqual(expected);
});

it('a tag is nowhere at home, so a path or an owner does not go free of it', async () => {
  expect(await reported('N22', {})).toEqual(['violated', 200, 1]);
  expect(await reported('N22', { prefix: 'user:' })).toEqual(['unknown', 0, 0]);
  expect(await reported('N22', { owner: 'people' })).toEqual(['unknown', 0, 0]);
});

it('a filter by type, size or time says nothing of groups and servers', async () => {
  for (const query of [{ type: ['hash'] }, { bytesMin: 1 }, { db: [0] }, { strength: ['mandatory' as const] }]) {
    expect(await reported('T4', query)).toEqual(['unknown', 0, 0]);
    const { rules, score, total } = await readFindings(ref, policy, query);
    for (const { shareKeys } of rules) expect(shareKeys ?? 0).toBeLessThanOrEqual(1);
    expect(rules.map((one) => one.rule)).not.toContain('C7');
    expect(score.lines.map((line) => line.part)).not.toContain('groups');
    expect(total.keys).toBeLessThanOrEqual(670);
  }
  // Fields that change how the answer looks do not filter keys.
  expect((await readFindings(ref, policy, { limit: 5 })).rules.map((one) => one.rule)).toContain('C7');
});

it('a part has never more than all of its keys in a group or notEvaluated', async () => {
  const shop = (await readFindings(ref, policy, { owner: 'shop' })).rules.find((one) => one.rule === 'T4')!;
  // A hundred keys of the storm belong to another team.
  expect([shop.keys, shop.shareKeys, shop.shareBytes]).toEqual([300, 1, 1]);
  const blind = await makeSealed(
    data.root,
    'blind',
    [...'abcdefgh'].map((name) => ({
      ...madeRows(1, 1)[0]!,
      bytesOfName: Buffer.from(`${name}:1`),
      node: 0,
      db: 0,
      expireAt: UNKNOWN,
    })),
  );
  const unknownIn = async (query: ReportQuery) =>
    (await readFindings(blind, policy, query)).rules.find((one) => one.rule === 'T4')!.unknownKeys;
  expect([await unknownIn({}), await unknownIn({ prefix: 'a:' })]).toEqual([8, 1]);
});
