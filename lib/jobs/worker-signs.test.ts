import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { removeFolder, temporaryFolder } from '@/test/servers/process';
import { keepWorkerSign } from './keep-worker-sign';
import { recordLoopTurn } from './loop/engine-heartbeat';
import { getWorkerSignFile, readWorkerSigns, WORKER_SILENT_MS } from './worker-signs';

let place: string;
beforeEach(() => {
  place = temporaryFolder();
  vi.stubEnv('TMPDIR', place);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  removeFolder(place);
});
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('a worker is found while its loop turns, falls silent when it hangs, and is gone when it has left', async () => {
  expect(readWorkerSigns()).toEqual([]);
  recordLoopTurn();
  const sign = keepWorkerSign(10);
  const [found] = readWorkerSigns();
  expect(found).toMatchObject({ pid: process.pid });
  expect(found!.agoMs).toBeLessThan(WORKER_SILENT_MS);
  const real = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => real() + 60_000);
  await sleep(50);
  expect(readWorkerSigns()[0]!.agoMs).toBeGreaterThan(WORKER_SILENT_MS);
  sign.stop();
  expect(readWorkerSigns()).toEqual([]);
});

it('what a killed worker left counts as nobody', () => {
  const file = getWorkerSignFile(4_194_303);
  mkdirSync(dirname(file));
  for (const name of [file, join(dirname(file), 'other')]) writeFileSync(name, '');
  expect(readWorkerSigns()).toEqual([]);
});

it('nothing is written through a link that somebody else has laid', () => {
  const other = join(place, 'other');
  mkdirSync(other);
  symlinkSync(other, dirname(getWorkerSignFile(1)));
  recordLoopTurn();
  keepWorkerSign(60_000).stop();
  expect(readdirSync(other)).toEqual([]);
});
