import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSelectedKeys } from '@/lib/deletions/plan/read-selected-keys';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { stopRollingUp } from '@/lib/rules/findings/roll-up-soon';
import { presets } from '@/lib/rules/profiles/presets';
import { config } from '@/lib/runtime/config';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { putAssignmentRow } from '@/lib/store/policies/assignments';
import { putProfileRow } from '@/lib/store/policies/profiles';
import { insertSnapshot } from '@/lib/store/snapshots';
import { madeRows } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { exportSnapshotKeys } from './export/export-snapshot-keys';
import { getReport } from './get-report';

/** All features use the bigkeys of the instance's profile: the report, the list, a download, a deletion. */
let data: ReturnType<typeof temporaryData>;
beforeAll(() => {
  data = temporaryData();
});
afterAll(async () => {
  await stopRollingUp();
  await data.remove();
});

const ID = 'bigsnapshot';

async function reported() {
  const report = async (name: 'bigkeys' | 'keys') =>
    (await getReport(LOCAL_ADMIN, ID, name, name === 'keys' ? { big: true } : {})).report.total;
  const { stream } = await exportSnapshotKeys(LOCAL_ADMIN, ID, { big: true }, 'jsonl');
  const lines = (await new Response(stream).text()).trim().split('\n');
  let chosen = 0;
  for await (const page of readSelectedKeys('i', { by: 'filter', snapshotId: ID, filter: { big: true } }))
    chosen += page.length;
  const overview = (await getReport(LOCAL_ADMIN, ID, 'overview', {})).report.bigkeys;
  return { report: await report('bigkeys'), list: await report('keys'), download: lines.length, chosen, overview };
}

it('are the same keys in the report, the list, a download and a removal, before and after the profile changes', async () => {
  const ref = await makeSealed(path.join(config.dataDir, 'snapshots'), ID, madeRows(3000));
  await writeManifest(ref.dir, { ...ref.manifest, id: ID, instanceId: 'i' });
  const counts = { keys: ref.manifest.keys, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const row = { id: ID, instanceId: 'i', jobId: null, state: 'sealed' as const, startedAt: 1, endedAt: 2 };
  await insertSnapshot({ ...row, partial: false, ...counts });
  const all = (n: number) => ({ report: n, list: n, download: n, chosen: n, overview: n });
  const before = await reported();
  expect(before).toEqual(all(before.report));
  const body = presets.get('default')!;
  const rules = { ...body.rules, V1: { ...body.rules.V1!, params: { bytes: 200 } } };
  await putProfileRow({ id: 'p', body: { ...body, name: 'Small strings', rules }, updatedAt: 1 });
  await putAssignmentRow('i', { profileId: 'p', prefixes: [] });
  const after = await reported();
  expect(after).toEqual(all(after.report));
  expect(after.report).toBeGreaterThan(before.report);
});
