import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { config } from '@/lib/runtime/config';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { putAssignmentRow } from '@/lib/store/policies/assignments';
import { putProfileRow } from '@/lib/store/policies/profiles';
import { getSnapshotRow, insertSnapshot } from '@/lib/store/snapshots';
import { madeRows } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { evaluateSoon, startEvaluating, stopEvaluating } from './evaluate-soon';
import { readFindings } from './read-findings';
import { stopRollingUp } from './roll-up-soon';

let data: ReturnType<typeof temporaryData>;
beforeAll(() => {
  data = temporaryData();
});
afterAll(async () => {
  await stopRollingUp();
  await data.remove();
});

async function sealed(id: string) {
  const ref = await makeSealed(path.join(config.dataDir, 'snapshots'), id, madeRows(4000));
  const manifest = { ...ref.manifest, id, instanceId: id };
  await writeManifest(ref.dir, manifest);
  const counts = { keys: manifest.keys, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const row = { id, instanceId: id, jobId: null, state: 'sealed' as const, startedAt: 1, endedAt: 2, partial: false };
  await insertSnapshot({ ...row, ...counts });
  return { dir: ref.dir, manifest };
}
const folders = async (dir: string) => (await readdir(dir)).filter((name) => name.startsWith('rules'));

it('is cut off by stopping, takes nothing while stopped, and begins anew after the next start', async () => {
  const { dir } = await sealed('one');
  const checking = evaluateSoon('one');
  while ((await folders(dir)).length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await stopEvaluating();
  await checking;
  // A complete evaluation would have left its folder.
  expect(await folders(dir)).toEqual([]);
  await evaluateSoon('one');
  expect((await getSnapshotRow('one'))?.policyHash ?? null).toBeNull();

  startEvaluating();
  await evaluateSoon('one');
  expect((await getSnapshotRow('one'))?.policyHash).toBe((await getEffectivePolicy('one')).hash);
  expect(await folders(dir)).toHaveLength(1);
});

it('stops although another caller goes on, whose answer stays whole', async () => {
  const ref = await sealed('two');
  const asked = readFindings(ref, await getEffectivePolicy('two'), {});
  while ((await folders(ref.dir)).length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  void evaluateSoon('two');
  await stopEvaluating();
  startEvaluating();
  expect((await asked).total.keys).toBe(ref.manifest.keys);
});

it('counts the bigkeys anew when the profile calls others so', async () => {
  const ref = await sealed('three');
  await evaluateSoon('three');
  const standard = (await getSnapshotRow('three'))!.bigkeys!;
  const body = presets.get('default')!;
  const rules = { ...body.rules, V1: { ...body.rules.V1!, params: { bytes: 200 } } };
  await putProfileRow({ id: 'p', body: { ...body, name: 'Small strings', rules }, updatedAt: 1 });
  await putAssignmentRow('three', { profileId: 'p', prefixes: [] });
  await evaluateSoon('three');
  const row = (await getSnapshotRow('three'))!;
  expect(row.bigkeys).toBeGreaterThan(standard);
  const bigkeys = { ...STANDARD_THRESHOLDS, stringBytes: 200 };
  expect(row.bigkeys).toBe((await runReport({ ...ref, bigkeys }, 'bigkeys', {})).report.total);
});
