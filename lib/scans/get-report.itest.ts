import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { insertSnapshot } from '@/lib/store/snapshots';
import { madeRows } from '@/test/snapshots/made-rows';
import { manifestOf, writeParts } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { getReport } from './get-report';
import { snapshotFolder } from './snapshot-folder';

let data: ReturnType<typeof temporaryData>;
beforeAll(() => {
  data = temporaryData();
});
afterAll(() => data.remove());

it('answers all the while a snapshot is sealed under its readers', async () => {
  const id = 'changing0';
  const dir = snapshotFolder(id);
  const parts = await writeParts(dir, madeRows(60_000), 300);
  expect(parts.length).toBeGreaterThan(20);
  await writeManifest(dir, manifestOf({ id }));
  const counts = { keys: 0, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const row = { instanceId: 'i', jobId: null, state: 'live' as const, startedAt: 1, endedAt: null, partial: false };
  await insertSnapshot({ id, ...row, ...counts });

  let sealed = false;
  const sealing = sealSnapshot(dir, parts, {
    manifest: (stats) => manifestOf({ id, state: 'sealed', keys: stats.keys, fileBytes: stats.fileBytes }),
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
  // Rows that a scan met twice are counted twice until they are sealed away, never fewer than there are.
  for (const answer of answers) expect(answer.keys).toBeGreaterThanOrEqual(last.report.keys);
  expect(answers.length).toBeGreaterThanOrEqual(3);
});
