import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { sortedCopies } from '@/lib/snapshots/seal/sorted-copies';
import { madeRows } from '@/test/snapshots/made-rows';
import { writeParts } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { newCheckpoint } from './begin-scan';
import { PartSorter } from './part-sorter';
import type { ScanCheckpoint } from './scan-checkpoint';

const data = temporaryData();
afterAll(() => data.remove());

let dir = '';
let parts: string[] = [];
let nth = 0;
beforeEach(async () => {
  dir = path.join(data.dir, 'snapshots', `sorted${++nth}`);
  await mkdir(dir, { recursive: true });
  parts = await writeParts(dir, madeRows(8000), 2000);
});

function checkpoint(keysAtStart: number): ScanCheckpoint {
  const partition = { node: 0, db: 0, runId: null, cursor: '0', done: false, parts, keys: 9, vanished: 0, restarts: 0 };
  return {
    ...newCheckpoint('sorted', ScanOptions.parse({})),
    partitions: [{ ...partition, keysAtStart, keysAtEnd: null }],
  };
}

const running = () => ({ stopped: new Promise<void>(() => {}), signal: new AbortController().signal });
const sortedAll = () => vi.waitFor(async () => expect((await sortedCopies(dir)).size).toBe(parts.length), 40_000);

it('sorts what the checkpoint names, one part after the other', async () => {
  const sorter = new PartSorter(dir, checkpoint(40_000), STANDARD_THRESHOLDS);
  sorter.saved(parts.slice(0, 1));
  sorter.saved(parts);
  await sortedAll();
  await sorter.finish(running());
});

it('goes on behind parts that were dropped meanwhile, to be read again', async () => {
  const sorter = new PartSorter(dir, checkpoint(40_000), STANDARD_THRESHOLDS);
  const dropped = ['part-0-0-000000.parquet', 'part-0-0-000001-abcd.parquet', 'part-0-0-000002-abcd.parquet'];
  sorter.saved([...dropped.filter((part) => !parts.includes(part)), ...parts]);
  await sortedAll();
  await sorter.finish(running());
});
