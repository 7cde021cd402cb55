import { cp, mkdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeManifest } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { readManifest, writeManifest } from './manifest';
import { getSnapshotFolder } from './snapshot-folder';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('of another snapshot is damage: its numbers are not shown as those of this one', async () => {
  const [mine, other] = [getSnapshotFolder('snapshot1'), getSnapshotFolder('snapshot2')];
  await mkdir(mine, { recursive: true });
  await writeManifest(mine, makeManifest({ id: 'snapshot1' }));
  expect(await readManifest(mine)).toMatchObject({ id: 'snapshot1' });
  await cp(mine, other, { recursive: true });
  await expect(readManifest(other)).rejects.toMatchObject({ code: 'snapshot_damaged' });
  // A folder that was written by the command line may have any name.
  await cp(mine, `${data.dir}/elsewhere`, { recursive: true });
  expect(await readManifest(`${data.dir}/elsewhere`)).toMatchObject({ id: 'snapshot1' });
});
