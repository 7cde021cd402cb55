import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJob } from '@/lib/jobs/create-job';
import type { JobContext, JobKind } from '@/lib/jobs/loop/job-kind';
import { countTakeover } from '@/lib/jobs/loop/recover-jobs';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import type { SnapshotNode } from '@/lib/model/snapshots/snapshot';
import { claimScanNodes, scanKind } from '@/lib/scans/scan-kind';
import { getStoredJob, updateJob } from '@/lib/store/jobs';
import { runRowTransaction, runTransaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { createCheckpoint, type ScanCheckpoint } from './scan-checkpoint';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const node = (runId: string) => ({ runId, address: '127.0.0.1:6379' }) as SnapshotNode;

/** Returns a scan that a process has just started and that has not claimed its nodes yet. */
async function begun(runId: string) {
  const what = { kind: 'scan', instanceId: null, instanceName: null, speed: 'gentle', params: null } as const;
  const { id } = await createJob(LOCAL_ADMIN, what);
  await hold(id, 1);
  const context = {
    job: (await getStoredJob(id))!.job,
    writeFenced: runRowTransaction,
    writeFencedLocked: runTransaction,
  } as unknown as JobContext<unknown, ScanCheckpoint>;
  const checkpoint = { ...createCheckpoint('snapshot1', ScanOptions.parse({})), nodes: [node(runId)] };
  return { id, checkpoint, take: () => claimScanNodes(context, checkpoint) };
}

const hold = (id: string, fence: number) =>
  updateJob(id, { state: 'running', lease: { holder: `elsewhere/${fence}/1/x`, fence, until: Date.now() + 60_000 } });

it('of many that stand before the same node at once one takes it', async () => {
  for (let round = 0; round < 5; round++) {
    const scans = await Promise.all(Array.from({ length: 6 }, () => begun(`run${round}`)));
    const taken = await Promise.all(scans.map(({ take }) => take()));
    const free = taken.indexOf(null);
    expect(taken.filter((busy) => busy === null)).toHaveLength(1);
    // Each of the others gets the node and the scan that has claimed it.
    const busy = { address: '127.0.0.1:6379', jobId: scans[free]?.id };
    expect(taken.toSpliced(free, 1)).toEqual(Array.from({ length: 5 }, () => busy));
  }
});

it('a scan that is taken over again and again without reading further stands where it stood', async () => {
  const { id, checkpoint, take } = await begun('same');
  const partition = { node: 0, db: 0, runId: 'same', cursor: '0', done: false, vanished: 0, restarts: 0 };
  checkpoint.partitions = [{ ...partition, parts: [], keys: 0, keysAtStart: null, keysAtEnd: null }];
  const counts: (number | undefined)[] = [];
  const takeOver = async (fence: number) => {
    await hold(id, fence);
    checkpoint.cost.commands += 7;
    expect(await take()).toBeNull();
    const takeovers = await countTakeover((await getStoredJob(id))!, scanKind as JobKind, 1_000);
    await updateJob(id, { takeovers });
    counts.push(takeovers?.count);
  };
  for (const fence of [1, 2, 3]) await takeOver(fence);
  Object.assign(checkpoint.partitions[0]!, { cursor: '42', parts: ['part-0'], keys: 10 });
  for (const fence of [4, 5]) await takeOver(fence);
  expect(counts).toEqual([1, 2, 3, 1, 2]);
});
