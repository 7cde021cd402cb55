import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JobContext } from '@/lib/jobs/loop/job-kind';
import { LeaseLost } from '@/lib/jobs/loop/lease';
import { getSnapshotRow, insertSnapshot } from '@/lib/store/snapshots';
import { temporaryData } from '@/test/temporary-data';
import type { ScanCheckpoint } from './run/scan-checkpoint';
import { type ScanParams, scanKind } from './scan-kind';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('a worker that was frozen before it begins anew takes nothing away that another one goes on with', async () => {
  const counts = { keys: 1, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null, partial: true };
  const row = { instanceId: 'i', jobId: 'j', state: 'live' as const, startedAt: 1, endedAt: null };
  await insertSnapshot({ id: 'overtaken1', ...row, ...counts });
  // The parts are not on this disk.
  const partition = { node: 0, db: 0, parts: ['part-0-0-0.parquet'], keys: 1 };
  const context = {
    job: { id: 'j', instanceId: 'i' },
    params: {},
    checkpoint: { snapshotId: 'overtaken1', partitions: [partition], readingDone: false },
    signal: new AbortController().signal,
    stopped: new Promise<void>(() => {}),
    stopRequested: () => null,
    report: () => {},
    // The run still had the lease at the check, and had lost it at the write.
    assertHeld: async () => {},
    fenced: async () => {
      throw new LeaseLost();
    },
  };
  const run = scanKind.run(context as unknown as JobContext<ScanParams, ScanCheckpoint>);
  await expect(run).rejects.toThrow(LeaseLost);
  expect(await getSnapshotRow('overtaken1')).toMatchObject({ id: 'overtaken1' });
});
