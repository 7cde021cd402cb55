import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { insertSnapshot } from '@/lib/store/snapshots';
import { claimWishes, endWish, readWish } from '@/lib/store/wishes';
import { temporaryData } from '@/test/temporary-data';
import { prepareNewestSnapshots } from './prepare-snapshots';
import { refuseSuperseded } from './serve-wishes';

let data: ReturnType<typeof temporaryData>;
beforeAll(() => {
  data = temporaryData();
});
afterAll(() => data.remove());

const sealed = (id: string, instanceId: string, policyHash: string | null): SnapshotSummary => ({
  ...{ id, instanceId, jobId: null, state: 'sealed', startedAt: 1000, endedAt: 2000, keys: 5, bytes: 1, bigkeys: 0 },
  ...{ noExpiryKeys: 0, partial: false, policyHash, fileBytes: 1 },
});

it('asks at its start for what is not prepared as pages do, so that tries are counted', async () => {
  await insertSnapshot(sealed('new', 'one', null));
  await insertSnapshot(sealed('known', 'two', 'h'));
  await prepareNewestSnapshots();
  const check = { kind: 'check' as const, instanceId: 'one' };
  await expect.poll(() => readWish(check)).toMatchObject({ isOpen: true });
  await expect.poll(() => readWish({ kind: 'roll-up', snapshotId: 'known' })).toMatchObject({ isOpen: true });
  for (const { id } of await claimWishes(4)) await endWish(id, { answer: undefined });
});

it('evaluates nothing for a policy that another one has superseded', async () => {
  const policy = await getEffectivePolicy('one');
  const wish = { kind: 'evaluate' as const, snapshotId: 'new', policy };
  await expect(refuseSuperseded(wish)).resolves.toBeUndefined();
  const superseded = { ...wish, policy: { ...policy, hash: 'superseded' } };
  await expect(refuseSuperseded(superseded)).rejects.toMatchObject({ code: 'snapshot_checking' });
});
