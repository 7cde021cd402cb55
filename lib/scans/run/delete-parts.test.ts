import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { deleteParts, deleteUnknownParts } from './delete-parts';
import { createCheckpoint } from './scan-checkpoint';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'colonnade-parts-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const part = (sequence: number) => `part-0-0-00000${sequence}.parquet`;
const write = (...names: string[]) => Promise.all(names.map((name) => writeFile(path.join(dir, name), '')));

it('a part that is read again goes, because under its name other rows will lie', async () => {
  await write(part(0), part(1), 'snapshot.json');
  await deleteParts(dir, [part(0)]);
  expect((await readdir(dir)).sort()).toEqual([part(1), 'snapshot.json']);
});

it('of parts that no checkpoint knows nothing stays', async () => {
  await write(part(0), part(1), `${part(3)}.tmp`, 'keys-0000.parquet');
  // Parts of a run that was overtaken, and of one that was killed while writing.
  await write('part-0-0-000003-0a1b2c3d.parquet', 'part-0-0-000004-0a1b2c3d.parquet.tmp');
  const checkpoint = createCheckpoint('s', ScanOptions.parse({}));
  const blank = { node: 0, db: 0, runId: null, cursor: '0', done: false, keys: 0, vanished: 0, restarts: 0 };
  checkpoint.partitions = [{ ...blank, parts: [part(0)], keysAtStart: null, keysAtEnd: null }];
  await deleteUnknownParts(dir, checkpoint);
  expect((await readdir(dir)).sort()).toEqual(['keys-0000.parquet', part(0)]);
});
