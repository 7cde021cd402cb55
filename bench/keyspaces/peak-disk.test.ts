import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { getSpillFolder } from '@/lib/snapshots/query/spill-folder';
import { diskBytes, peakDisk, sumDisk } from './peak-disk';

const root = mkdtempSync(join(tmpdir(), 'colonnade-peak-disk-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** Creates the files of a snapshot in the middle of its sealing. */
function halfSealed(dir: string): void {
  mkdirSync(join(dir, 'sealing-a1b2'), { recursive: true });
  const files = { 'part-0-0-000001.parquet': 1000, 'keys-0000.parquet': 2 };
  for (const [name, bytes] of Object.entries({ ...files, 'sealing-a1b2/data_0.parquet': 3, 'sealing.json': 7 }))
    writeFileSync(join(dir, name), Buffer.alloc(bytes));
}

it('tells parts, keys and what is spilled in the folder of a snapshot of its own', async () => {
  vi.stubEnv('COLONNADE_DATA', join(root, 'elsewhere'));
  const dir = join(root, 'snapshot');
  halfSealed(dir);
  // One spill folder of this process, one of a worker that seals.
  for (const folder of [await getSpillFolder(dir), join(dir, '.spill-1')]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'duckdb_temp_storage-0.tmp'), Buffer.alloc(3000));
  }
  expect((await peakDisk(dir))()).toEqual({ parts: 1000, keys: 5, spill: 6000 });
});

it('counts what is spilled beside a snapshot of the data folder too', async () => {
  vi.stubEnv('COLONNADE_DATA', root);
  const dir = join(root, 'snapshots', 'one');
  halfSealed(dir);
  const mine = await getSpillFolder(dir);
  // The spill folder contains its lock file.
  const { spill: locked } = (await peakDisk(dir))();
  writeFileSync(join(mine, 'duckdb_temp_storage-0.tmp'), Buffer.alloc(3000));
  const worker = join(root, 'snapshots', '.duckdb-tmp', '1-abcd');
  mkdirSync(worker);
  writeFileSync(join(worker, 'duckdb_temp_storage-0.tmp'), Buffer.alloc(500));
  expect((await peakDisk(dir))()).toMatchObject({ parts: 1000, spill: locked + 3500 });
});

it('keeps the moment at which most lay there', async () => {
  vi.stubEnv('COLONNADE_DATA', join(root, 'elsewhere'));
  const dir = join(root, 'snapshot');
  halfSealed(dir);
  const peak = await peakDisk(dir);
  rmSync(join(dir, 'part-0-0-000001.parquet'));
  const now = diskBytes(dir, dir);
  expect(now.parts).toBe(0);
  expect(sumDisk(peak())).toBe(sumDisk(now) + 1000);
});
