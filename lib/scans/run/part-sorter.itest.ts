import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { endKeptWorker } from '@/lib/offload/kept-worker';
import { sortedCopies } from '@/lib/snapshots/seal/sorted-copies';
import { madeRows } from '@/test/snapshots/made-rows';
import { writeParts } from '@/test/snapshots/make-snapshot';
import { withWorkerFromSources, workers } from '@/test/snapshots/worker-from-sources';
import { newCheckpoint } from './begin-scan';
import { PartSorter } from './part-sorter';
import type { ScanCheckpoint } from './scan-checkpoint';

const data = withWorkerFromSources();

let dir = '';
let parts: string[] = [];
let nth = 0;
beforeEach(async () => {
  dir = path.join(data.dir, 'snapshots', `sorted${++nth}`);
  await mkdir(dir, { recursive: true });
  parts = await writeParts(dir, madeRows(8000), 2000);
});
afterEach(async () => {
  endKeptWorker();
  await vi.waitFor(() => expect(workers()).toEqual([]));
});

function checkpoint(keysAtStart: number, options: Partial<ScanOptions> = {}): ScanCheckpoint {
  const partition = { node: 0, db: 0, runId: null, cursor: '0', done: false, parts, keys: 9, vanished: 0, restarts: 0 };
  return {
    ...newCheckpoint('sorted', { ...ScanOptions.parse({}), ...options }),
    partitions: [{ ...partition, keysAtStart, keysAtEnd: null }],
  };
}

const running = () => ({ stopped: new Promise<void>(() => {}), signal: new AbortController().signal });
const sortedAll = () => vi.waitFor(async () => expect((await sortedCopies(dir)).size).toBe(parts.length), 40_000);

it('sorts what the checkpoint names, one part after the other, in the worker', async () => {
  const sorter = new PartSorter(dir, checkpoint(40_000), STANDARD_THRESHOLDS);
  sorter.saved(parts.slice(0, 1));
  sorter.saved(parts);
  await sortedAll();
  expect(workers()).toHaveLength(1);
  await sorter.finish(running());
});

it('goes on behind parts that were dropped meanwhile, to be read again', async () => {
  const sorter = new PartSorter(dir, checkpoint(40_000), STANDARD_THRESHOLDS);
  const dropped = ['part-0-0-000000.parquet', 'part-0-0-000001-abcd.parquet', 'part-0-0-000002-abcd.parquet'];
  sorter.saved([...dropped.filter((part) => !parts.includes(part)), ...parts]);
  await sortedAll();
  await sorter.finish(running());
});

it('starts no worker for the few keys below a prefix, however many there are in all', async () => {
  const sorter = new PartSorter(dir, checkpoint(1_000_000, { match: 'zz:' }), STANDARD_THRESHOLDS);
  sorter.saved(parts);
  await sortedAll();
  expect(workers()).toEqual([]);
  await sorter.finish(running());
});

it.each(['stopped', 'lost'])('waits for no worker that hangs when the scan is %s', async (why) => {
  const sorter = new PartSorter(dir, checkpoint(40_000), STANDARD_THRESHOLDS);
  sorter.saved(parts);
  await vi.waitFor(() => expect(workers()).toHaveLength(1), 20_000);
  process.kill(workers()[0]!, 'SIGSTOP');
  const lost = new AbortController();
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const finished = sorter.finish({ stopped, signal: lost.signal });
  if (why === 'lost') lost.abort();
  else stop();
  await finished;
  expect((await sortedCopies(dir)).size).toBeLessThan(parts.length);
});
