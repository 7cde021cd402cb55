import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JobContext } from '@/lib/jobs/loop/job-kind';
import { LeaseLost } from '@/lib/jobs/loop/lease';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { getSnapshotRow, insertSnapshot } from '@/lib/store/snapshots';
import { temporaryData } from '@/test/temporary-data';
import type { ScanCheckpoint } from './run/scan-checkpoint';
import { type ScanParams, scanKind } from './scan-kind';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

/** A run of the job `j` whose checkpoint lists one part of the snapshot `overtaken1`, which has a row. */
async function runScan(more: object): Promise<unknown> {
  const counts = { keys: 1, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null, partial: true };
  const row = { instanceId: 'i', jobId: 'j', state: 'live' as const, startedAt: 1, endedAt: null };
  await insertSnapshot({ id: 'overtaken1', ...row, ...counts });
  const partition = { node: 0, db: 0, parts: ['part-0-0-0.parquet'], keys: 1 };
  const context = {
    job: { id: 'j', instanceId: 'i' },
    params: {},
    checkpoint: { snapshotId: 'overtaken1', partitions: [partition], readingDone: false },
    ...more,
  };
  return scanKind.run(context as unknown as JobContext<ScanParams, ScanCheckpoint>);
}

it('a worker that was frozen before it begins anew takes nothing away that another one goes on with', async () => {
  // The parts are not on this disk. The run still had the lease when it began, and had lost it at the write.
  const writeFenced = async () => {
    throw new LeaseLost();
  };
  await expect(runScan({ writeFenced })).rejects.toThrow(LeaseLost);
  expect(await getSnapshotRow('overtaken1')).toMatchObject({ id: 'overtaken1' });
});

it('a disk that cannot be read does not count as one without the parts: nothing is deleted', async () => {
  const dir = getSnapshotFolder('overtaken1');
  mkdirSync(dirname(dir), { recursive: true });
  writeFileSync(dir, 'not a folder');
  await expect(runScan({ writeFenced: (act: (tx: null) => unknown) => act(null) })).rejects.toThrow('ENOTDIR');
  expect(await getSnapshotRow('overtaken1')).toMatchObject({ id: 'overtaken1' });
});
