import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REPORTS } from '@/lib/model/reports/registry';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { dataFolder, makeManifest } from '@/test/snapshots/make-snapshot';
import { runReport } from './run-report';

/** The scan runs but has no complete part yet. Pages load reports from the first moment on. */
let dir: string;
let clean: () => Promise<void>;

beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  dir = path.join(folder.root, 'young');
  await mkdir(dir);
  await writeManifest(dir, makeManifest());
});
afterAll(() => clean());

it.each(REPORTS)('%s answers with nothing and writes nothing into the folder of the scan', async (name) => {
  const before = await readdir(dir);
  const answer = await runReport({ dir, manifest: makeManifest() }, name, {});
  expect(answer.live).toBe(true);
  expect(answer.keysInSnapshot).toBe(0);
  expect(await readdir(dir)).toEqual(before);
});
