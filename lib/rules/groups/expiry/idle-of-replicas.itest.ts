import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_EXPIRY } from '@/lib/model/snapshots/facts-page';
import type { GroupRule } from '@/lib/rules/groups/counts/group-answer';
import { evaluateGroups } from '@/lib/rules/groups/evaluate-groups';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { AS_OF, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';

const DAY = 86_400;
let data: Awaited<ReturnType<typeof dataFolder>>;
let ref: SnapshotRef;
beforeAll(async () => {
  data = await dataFolder();
  const [row] = madeRows(1, 1);
  const keys = (app: string, node: number, idle: number) =>
    Array.from({ length: 20 }, (_, i) => ({
      ...row!,
      bytesOfName: Buffer.from(`${app}:${i}`),
      node,
      db: 0,
      expireAt: NO_EXPIRY,
      bytes: 1000,
      idle,
    }));
  ref = await makeSealed(data.root, 'idle', [
    ...keys('cold', 0, 40 * DAY),
    // Keys of node 1, a replica. It knows when they were last written, and does not see reads on its master.
    ...keys('read', 1, 40 * DAY),
    ...keys('warm', 1, DAY),
  ]);
});
afterAll(() => data.clean());

async function reported(role: 'master' | 'replica', only = false) {
  const nodes = ref.manifest.nodes.map((node, i) => (i === 1 ? { ...node, role } : node));
  const rules: GroupRule[] = [
    { id: 'T2', params: { days: 30, keys: 10 } },
    { id: 'V17', params: { days: 30, bytes: 5000 } },
  ];
  if (only)
    rules.forEach((rule, i) => {
      rules[i] = { ...rule, ranges: [{ from: 'read:', to: 'read;' }] };
    });
  const context = { asOf: AS_OF, delimiter: ':', findOwner: () => null, exempt: () => false };
  const answers = await withSource({ ...ref, manifest: { ...ref.manifest, nodes } }, (source) =>
    evaluateGroups(source, rules, context),
  );
  return Object.values(answers).map((a) => [a.status, a.groups.map((group) => group.path), a.keys, a.unknownKeys]);
}

it('takes the idle times of a master as they are', async () => {
  expect(await reported('master')).toEqual([
    ['violated', ['cold:', 'read:'], 40, 0],
    ['violated', ['cold:', 'read:'], 40, 0],
  ]);
});

it('reports no key as idle that only its replica was asked about', async () => {
  expect(await reported('replica')).toEqual([
    ['violated', ['cold:'], 20, 20],
    ['violated', ['cold:'], 20, 20],
  ]);
  expect(await reported('replica', true)).toEqual([
    ['unknown', [], 0, 20],
    ['unknown', [], 0, 20],
  ]);
});
