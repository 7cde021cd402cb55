import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { startRollingUp, stopRollingUp } from '@/lib/rules/findings/roll-up-soon';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { getRollupMetaFile, getTableFile } from '@/lib/snapshots/rollup/rollup-folder';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { insertSnapshot } from '@/lib/store/snapshots';
import { LONG } from '@/test/long-form.mjs';
import { madeRows } from '@/test/snapshots/made-rows';
import { makeManifest, writeParts } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { getReport } from './get-report';

let data: ReturnType<typeof temporaryData>;
beforeAll(() => {
  data = temporaryData();
});
afterAll(() => data.remove());

it('answers all the while a snapshot is sealed under its readers', async () => {
  const id = 'changing0';
  const dir = getSnapshotFolder(id);
  const parts = await writeParts(dir, madeRows(LONG ? 60_000 : 15_000), 300);
  expect(parts.length).toBeGreaterThan(20);
  await writeManifest(dir, makeManifest({ id }));
  const counts = { keys: 0, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const row = { instanceId: 'i', jobId: null, state: 'live' as const, startedAt: 1, endedAt: null, partial: false };
  await insertSnapshot({ id, ...row, ...counts });

  let sealed = false;
  const sealing = sealSnapshot(dir, parts, {
    manifest: (stats) => makeManifest({ id, state: 'sealed', keys: stats.keys, fileBytes: stats.fileBytes }),
  }).finally(() => {
    sealed = true;
  });
  const answers: { live: boolean; keys: number }[] = [];
  const reader = async () => {
    do {
      const { live, report } = await getReport(LOCAL_ADMIN, id, 'overview', {});
      answers.push({ live, keys: report.keys });
    } while (!sealed);
  };
  await Promise.all([sealing, reader(), reader(), reader()]);
  const last = await getReport(LOCAL_ADMIN, id, 'overview', {});
  expect(last.live).toBe(false);
  // Rows that a scan read twice are counted twice until sealing removes them; a count is never too low.
  for (const answer of answers) expect(answer.keys).toBeGreaterThanOrEqual(last.report.keys);
  expect(answers.length).toBeGreaterThanOrEqual(3);
});

it('has a lost or damaged roll-up made again', async () => {
  const id = 'damaged00';
  const dir = getSnapshotFolder(id);
  const parts = await writeParts(dir, madeRows(3000), 1000);
  await sealSnapshot(dir, parts, {
    manifest: ({ keys, fileBytes }) => makeManifest({ id, state: 'sealed', keys, fileBytes }),
  });
  const counts = { keys: 3000, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const row = { instanceId: 'i', jobId: null, state: 'sealed' as const, startedAt: 1, endedAt: 2, partial: false };
  await insertSnapshot({ id, ...row, ...counts });
  const overview = (limit: number) => getReport(LOCAL_ADMIN, id, 'overview', { limit });
  const before = (await overview(1)).report;
  // No roll-up is made yet.
  expect(existsSync(getRollupMetaFile(dir))).toBe(false);
  startRollingUp();
  try {
    expect((await overview(2)).report).toEqual(before);
    await vi.waitFor(() => expect(existsSync(getRollupMetaFile(dir))).toBe(true), { timeout: 90_000 });
    await stopRollingUp();
    startRollingUp();
    await writeFile(getTableFile(dir, 'cells'), 'PAR1 and nothing else PAR1');
    expect((await overview(3)).report).toEqual(before);
    await vi.waitFor(() => expect(existsSync(getRollupMetaFile(dir))).toBe(true), { timeout: 90_000 });
  } finally {
    await stopRollingUp();
  }
  expect((await overview(4)).report).toEqual(before);
});
