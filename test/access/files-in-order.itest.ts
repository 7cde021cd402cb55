import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportDeletions } from '@/lib/deletions/export/export-deletions';
import { exportFleet } from '@/lib/instances/export/export-fleet';
import { exportJobs } from '@/lib/jobs/export-jobs';
import type { Actor } from '@/lib/model/actor';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { DownloadFile } from '@/lib/model/download-file';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { exportSnapshots } from '@/lib/scans/export/export-snapshots';
import { insertDeletion } from '@/lib/store/deletions/deletions';
import { getInstanceRow, insertInstanceRow, updateInstanceRow } from '@/lib/store/instances';
import { insertJob } from '@/lib/store/jobs';
import { insertSnapshot } from '@/lib/store/snapshots';
import { temporaryData } from '@/test/temporary-data';
import { rowsOf } from './rows-of';

/**
 * Rows of files have the order of the pages: sorted by each column, in both directions, unknown values last, within
 * their groups.
 */
const ADA: Actor = { id: 'a', name: 'ada', role: 'viewer', via: 'api' };
const ELSEWHERE: Actor = { ...ADA, role: 'none', grants: [{ kind: 'instance', value: 'x', role: 'viewer' }] };
const FLEET = [
  { id: 'a10', environment: 'env10', owner: '支付', keys: 7 },
  { id: 'b', environment: '', owner: 'web', keys: null },
  { id: 'a2', environment: 'env2', owner: '北京', keys: 30 },
  { id: 'c', environment: 'env10', owner: '', keys: 9 },
];

let data: ReturnType<typeof temporaryData>;
beforeAll(async () => {
  data = temporaryData();
  for (const [at, { id, environment, owner, keys }] of FLEET.entries()) {
    const endpoints = [{ host: '127.0.0.1', port: 6379 + at }];
    const settings = InstanceSettings.parse({ name: id, topology: 'standalone', endpoints, environment, owner });
    const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
    await insertInstanceRow({ id, settings, sealed, createdAt: 1, updatedAt: 1 });
    if (keys !== null) {
      const counts = { keys, bytes: keys, bigkeys: 0, noExpiryKeys: 0, fileBytes: 100 - keys, partial: false };
      const row = { instanceId: id, jobId: null, state: 'sealed' as const, ...counts };
      await insertSnapshot({ ...row, id: `${id}-new`, startedAt: 9000, endedAt: 9000 + keys });
    }
    const job = { ...{ id, kind: 'scan', instanceId: id, instanceName: id, speed: 'gentle' }, state: 'succeeded' };
    const nothing = { snapshotId: null, reason: null, cost: null, error: null };
    const amount = { phase: 'done', done: keys, total: null, unit: 'keys', ratePerSecond: null, etaSeconds: null };
    const when = { createdAt: at, startedAt: 100 - at, endedAt: 200, updatedAt: 200 };
    const progress = keys === null ? null : { ...amount, nodes: [] };
    const whole = { ...job, ...nothing, ...when, progress, actor: '@ada' };
    await insertJob(whole as unknown as Parameters<typeof insertJob>[0], null);
    const totals = { keys: keys ?? 0, elements: null, bytes: null, instanceKeys: null, byMode: [], byType: [] };
    const plan = { id, instanceId: 'b', instanceName: 'b', task: 'delete', totals, createdBy: `${id} lovelace` };
    const selection = { by: 'keys', keys: [] };
    const rest = { selection, options: {}, createdAt: 100 - at, consents: [], hazards: [], notices: [] };
    await insertDeletion({ ...plan, ...rest } as unknown as DeletionPlan);
  }
  const counts = { keys: 1, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null, partial: true };
  const row = { id: 'old', instanceId: 'a2', jobId: null, state: 'failed' as const, ...counts };
  await insertSnapshot({ ...row, startedAt: 10, endedAt: 5000 });
});
afterAll(() => data.remove());

const idsOf = async (file: Promise<DownloadFile>) => (await rowsOf(await file, 'jsonl')).map(({ id }) => id);
const jsonl = { format: 'jsonl' } as const;

it('of the fleet', async () => {
  const fleet = (order: object) => idsOf(exportFleet(ADA, { q: '', env: '', tag: '' }, { ...jsonl, ...order }));
  expect(await fleet({ sort: 'name' })).toEqual(['a2', 'a10', 'b', 'c']);
  expect(await fleet({ sort: '-name' })).toEqual(['c', 'b', 'a10', 'a2']);
  expect(await fleet({ sort: 'keys' })).toEqual(['a10', 'c', 'a2', 'b']);
  expect(await fleet({ sort: '-keys' })).toEqual(['a2', 'c', 'a10', 'b']);
  expect(await fleet({ sort: '-keys', group: 'environment' })).toEqual(['a2', 'c', 'a10', 'b']);
  expect(await fleet({ sort: 'name', group: 'environment' })).toEqual(['a2', 'a10', 'c', 'b']);
  expect(await fleet({ sort: 'name', group: 'owner', lang: 'zh-CN' })).toEqual(['a2', 'a10', 'b', 'c']);
  expect((await fleet({ sort: 'name', group: 'owner', lang: 'en' })).slice(0, 1)).toEqual(['b']);
});

it('of jobs', async () => {
  const jobs = (order: object) => idsOf(exportJobs(ADA, {}, { ...jsonl, ...order }));
  // Without a sort the order is newest first.
  expect(await jobs({})).toEqual(['c', 'a2', 'b', 'a10']);
  expect(await jobs({ sort: 'started' })).toEqual(['c', 'a2', 'b', 'a10']);
  expect(await jobs({ sort: '-started' })).toEqual(['a10', 'b', 'a2', 'c']);
  expect(await jobs({ sort: 'job' })).toEqual(['a2', 'a10', 'b', 'c']);
  expect(await jobs({ sort: '-keys' })).toEqual(['a2', 'c', 'a10', 'b']);
});

it('of deletions', async () => {
  const deletions = (order: object) => idsOf(exportDeletions(ADA, {}, { ...jsonl, ...order }));
  expect(await deletions({ sort: 'when' })).toEqual(['c', 'a2', 'b', 'a10']);
  expect(await deletions({ sort: '-what' })).toEqual(['a2', 'c', 'a10', 'b']);
  expect(await deletions({ sort: 'who' })).toEqual(['a2', 'a10', 'b', 'c']);
});

it('of the snapshots of an instance, for whoever may see it', async () => {
  const snapshots = (order: object) => idsOf(exportSnapshots(ADA, 'a2', { ...jsonl, ...order }));
  expect(await snapshots({})).toEqual(['a2-new', 'old']);
  expect(await snapshots({ sort: 'started' })).toEqual(['old', 'a2-new']);
  expect(await snapshots({ sort: '-took' })).toEqual(['old', 'a2-new']);
  expect(await snapshots({ sort: '-memory' })).toEqual(['a2-new', 'old']);
  expect(await snapshots({ sort: 'memory' })).toEqual(['a2-new', 'old']);
  const file = await exportSnapshots(ADA, 'a2', jsonl);
  expect(file.filename).toMatch(/^colonnade-snapshots-\d{4}-\d\d-\d\d\.jsonl$/);
  const lines = await rowsOf(file, 'jsonl');
  expect(lines[1]).toMatchObject({ state: 'failed', complete: 'no', 'took (ms)': 4990, 'memory (bytes)': null });
  const parquet = await exportSnapshots(ADA, 'a2', { format: 'parquet' });
  expect(await rowsOf(parquet, 'parquet')).toEqual(lines);
  await expect(exportSnapshots(ELSEWHERE, 'a2', jsonl)).rejects.toMatchObject({ code: 'not_found' });
  await expect(exportSnapshots(ADA, 'gone', jsonl)).rejects.toMatchObject({ code: 'not_found' });
});

it('a file of one instance ends with the right to see it', async () => {
  const granted: Actor = { ...ADA, role: 'none', grants: [{ kind: 'environment', value: 'env2', role: 'viewer' }] };
  const files = await Promise.all([ADA, granted].map((actor) => exportSnapshots(actor, 'a2', jsonl)));
  expect(await Promise.all(files.map((file) => file.stillAllowed()))).toEqual([true, true]);
  const row = (await getInstanceRow('a2'))!;
  await updateInstanceRow({ ...row, settings: { ...row.settings, environment: 'env3' } });
  expect(await Promise.all(files.map((file) => file.stillAllowed()))).toEqual([true, false]);
});
