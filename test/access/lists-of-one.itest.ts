import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportLeftovers } from '@/lib/deletions/export/export-leftovers';
import { exportPlan } from '@/lib/deletions/export/export-plan';
import { NOTHING_SEARCHED } from '@/lib/deletions/run/leftovers-checkpoint';
import { exportDestinations } from '@/lib/instances/export/export-destinations';
import { exportJobNodes } from '@/lib/jobs/export-job-nodes';
import type { Actor } from '@/lib/model/actor';
import { ANONYMOUS } from '@/lib/model/actor';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { DownloadFile } from '@/lib/model/download-file';
import type { Job, Progress } from '@/lib/model/job';
import { encodeKey } from '@/lib/model/keys/key-id';
import type { FileShape } from '@/lib/model/reports/file-formats';
import type { RowOrder } from '@/lib/model/reports/table-order';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { insertDeletion } from '@/lib/store/deletions/deletions';
import { insertDestinations } from '@/lib/store/destinations';
import { insertInstanceRow } from '@/lib/store/instances';
import { insertJob, updateJob } from '@/lib/store/jobs';
import { transaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { rowsOf } from './rows-of';

/**
 * Tables within the page of one plan, job or search, as files: for the same callers as the page, in its order, with the
 * same rows in every format.
 */
const ADA: Actor = { id: 'a', name: 'ada', role: 'viewer', via: 'api' };
const ELSEWHERE: Actor = { ...ADA, role: 'none', grants: [{ kind: 'instance', value: 'x', role: 'viewer' }] };
const EVIL = '=cmd';

const job = (id: string, instanceId: string, kind: string, nodes: Progress['nodes']): Job => ({
  ...{ id, kind, instanceId, instanceName: instanceId, snapshotId: null, state: 'succeeded', speed: 'gentle' },
  ...{ reason: null, cost: null, error: null, actor: '@ada', createdAt: 1, startedAt: 2, endedAt: 3, updatedAt: 3 },
  progress: { phase: 'done', done: 9, total: 9, unit: 'keys', ratePerSecond: null, etaSeconds: null, nodes },
});
const node = (address: string, more: Partial<Progress['nodes'][number]>): Progress['nodes'][number] => ({
  ...{ address, db: 0, done: 5, total: 10, state: 'scanning', restarts: 0, latencyMs: null },
  ...more,
});
const found = (name: string, bytes: number | null) => ({
  ...{ k: encodeKey(Buffer.from(name)), db: 0, address: '10.0.0.1:6379', kind: 'tombstone' as const },
  ...{ deletionId: 'gone', seq: 1, type: 'hash', bytes },
});
const upTo = (to: number | null) => (to === null ? null : { from: 1, to });
const price = (mode: 'unlink' | 'drain', seconds: number | null, archiveBytes: number | null) => ({
  ...{ mode, seconds: upTo(seconds), archiveBytes: upTo(archiveBytes), serverMs: upTo(12), replicationBytes: upTo(40) },
});

let data: ReturnType<typeof temporaryData>;
beforeAll(async () => {
  data = temporaryData();
  for (const [at, id] of ['mine', 'fresh'].entries()) {
    const endpoints = [{ host: '127.0.0.1', port: 6379 + at }];
    const settings = InstanceSettings.parse({ name: id, topology: 'standalone', endpoints });
    const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
    await insertInstanceRow({ id, settings, sealed, createdAt: 1, updatedAt: 1 });
  }
  const nodes = [
    node('n10', { done: 7, total: null }),
    node('n2', { state: 'done', done: 3, total: 4, latencyMs: 1.5 }),
    node('n1', { restarts: 2, latencyMs: 8 }),
  ];
  await insertJob(job('scan', 'mine', 'scan', nodes), null);
  await insertJob(job('search', 'mine', 'leftovers', []), null);
  const names = [found(`${EVIL}:10`, 70), found(`${EVIL}:2`, null), found(`${EVIL}:3`, 900)];
  await updateJob('search', { checkpoint: { ...NOTHING_SEARCHED, found: names } });
  const plan = { instanceId: 'mine', instanceName: 'mine', task: 'delete', createdAt: 1, createdBy: 'ada' };
  const rest = {
    selection: { by: 'keys', keys: [] },
    options: { mode: 'drain' },
    consents: [],
    hazards: [],
    notices: [],
  };
  const prices = [price('unlink', 3, 0), price('drain', null, 500)];
  const hazards = [
    { hazard: 'no_copy', keys: 7, bytes: 4096 },
    { hazard: 'in_use', keys: 2, bytes: null },
  ];
  const excluded = [
    { reason: { code: 'module_type', params: { type: 'ReJSON-RL' } }, keys: 3, examples: [`${EVIL}:a`, 'b'] },
    { reason: { code: 'gone', params: {} }, keys: 1, examples: [] },
  ];
  await insertDeletion({ ...plan, ...rest, id: 'plan', prices, hazards, excluded } as unknown as DeletionPlan);
  const destination = (address: string, confirmedBy: string) => ({ address, confirmedBy, confirmedAt: 1000 });
  await transaction((tx) =>
    insertDestinations('mine', [destination('10.0.0.1:6379', EVIL), destination('10.0.0.2:6379', 'bob')], tx),
  );
  await insertDeletion({ ...plan, ...rest, id: 'expiry', prices: [] } as unknown as DeletionPlan);
});
afterAll(() => data.remove());

type List = [
  name: string,
  file: (actor: Actor, shape: FileShape & RowOrder) => Promise<DownloadFile>,
  filename: RegExp,
  rows: number,
];
const LISTS: List[] = [
  ['nodes of a job', (actor, shape) => exportJobNodes(actor, 'scan', shape), /^colonnade-job-nodes-.{10}-scan\./, 3],
  ['prices of a plan', (actor, shape) => exportPlan(actor, 'plan', shape), /^colonnade-prices-.{10}-plan\./, 2],
  [
    'hazards of a plan',
    (actor, shape) => exportPlan(actor, 'plan', { ...shape, table: 'hazards' }),
    /^colonnade-hazards-.{10}-plan\./,
    2,
  ],
  [
    'excluded keys of a plan',
    (actor, shape) => exportPlan(actor, 'plan', { ...shape, table: 'excluded' }),
    /^colonnade-excluded-.{10}-plan\./,
    2,
  ],
  ['destinations', (actor, shape) => exportDestinations(actor, 'mine', shape), /^colonnade-destinations-.{10}\./, 2],
  ['internal keys', (actor, shape) => exportLeftovers(actor, 'mine', shape), /^colonnade-internal-keys-.{10}\./, 3],
];

it.each(LISTS)('the file of the %s says the same in every format', async (_name, file, filename, rows) => {
  const lines = await rowsOf(await file(ADA, { format: 'jsonl' }), 'jsonl');
  expect(lines).toHaveLength(rows);
  expect(await rowsOf(await file(ADA, { format: 'parquet' }), 'parquet')).toEqual(lines);
  const csv = await file(ADA, { format: 'csv' });
  expect(csv.filename).toMatch(filename);
  const text = await new Response(csv.stream).text();
  expect(text.trimEnd().split('\n')).toHaveLength(rows + 1);
  // No cell may be one that a spreadsheet would execute.
  expect(text).not.toMatch(/(^|,)"?[=@+]/m);
});

it.each(LISTS)('the file of the %s is for whoever may see the page', async (_name, file) => {
  for (const format of ['csv', 'jsonl', 'parquet'] as const) {
    await expect(file(ELSEWHERE, { format })).rejects.toMatchObject({ code: 'not_found' });
    await expect(file(ANONYMOUS, { format })).rejects.toMatchObject({ code: 'sign_in_needed' });
  }
  expect(await (await file(ADA, { format: 'csv' })).stillAllowed()).toBe(true);
});

const column = async (file: Promise<DownloadFile>, name: string) =>
  (await rowsOf(await file, 'jsonl')).map((row) => row[name]);
const inOrder = (sort: string) => ({ format: 'jsonl' as const, sort, lang: 'en' });

it('stands in the order of the page, what is unknown last', async () => {
  const nodes = (sort: string) => column(exportJobNodes(ADA, 'scan', inOrder(sort)), 'node');
  expect(await nodes('')).toEqual(['n10', 'n2', 'n1']);
  expect(await nodes('node')).toEqual(['n1', 'n2', 'n10']);
  expect(await nodes('-progress')).toEqual(['n2', 'n1', 'n10']);
  expect(await nodes('-latency')).toEqual(['n1', 'n2', 'n10']);
  const prices = (sort: string) => column(exportPlan(ADA, 'plan', inOrder(sort)), 'mode');
  expect(await prices('-time')).toEqual(['unlink', 'drain']);
  expect(await prices('-archive')).toEqual(['drain', 'unlink']);
  const keys = (sort: string) => column(exportLeftovers(ADA, 'mine', inOrder(sort)), 'key');
  expect(await keys('name')).toEqual([`${EVIL}:2`, `${EVIL}:3`, `${EVIL}:10`]);
  expect(await keys('-bytes')).toEqual([`${EVIL}:3`, `${EVIL}:10`, `${EVIL}:2`]);
});

it('says what the page says', async () => {
  expect(await rowsOf(await exportJobNodes(ADA, 'scan', inOrder('node')), 'jsonl')).toMatchObject([
    { node: 'n1', database: 0, state: 'scanning', restarts: 2, 'progress (0–1)': 0.5, done: 5, of: 10 },
    { node: 'n2', state: 'done', 'progress (0–1)': 1, 'probe latency (ms)': 1.5 },
    { node: 'n10', 'progress (0–1)': null, done: 7, of: null },
  ]);
  expect(await rowsOf(await exportPlan(ADA, 'plan', inOrder('')), 'jsonl')).toMatchObject([
    {
      ...{ mode: 'unlink', chosen: 'no', 'time from (s)': 1, 'time to (s)': 3 },
      ...{ 'server time to (ms)': 12, 'replication to (bytes)': 40 },
    },
    { mode: 'drain', chosen: 'yes', 'time to (s)': null, 'archive from (bytes)': 1, 'archive to (bytes)': 500 },
  ]);
  const plan = async (table: 'hazards' | 'excluded') =>
    rowsOf(await exportPlan(ADA, 'plan', { format: 'jsonl', table }), 'jsonl');
  expect(await plan('hazards')).toEqual([
    { hazard: 'no_copy', keys: 7, 'memory (bytes)': 4096 },
    { hazard: 'in_use', keys: 2, 'memory (bytes)': null },
  ]);
  expect(await plan('excluded')).toEqual([
    { reason: 'module_type', 'of it': 'type=ReJSON-RL', keys: 3, examples: `${EVIL}:a, b` },
    { reason: 'gone', 'of it': null, keys: 1, examples: null },
  ]);
  expect(await rowsOf(await exportDestinations(ADA, 'mine', { format: 'jsonl' }), 'jsonl')).toEqual([
    { address: '10.0.0.1:6379', 'confirmed by': EVIL, 'confirmed (UTC)': '1970-01-01T00:00:01.000Z' },
    { address: '10.0.0.2:6379', 'confirmed by': 'bob', 'confirmed (UTC)': '1970-01-01T00:00:01.000Z' },
  ]);
  expect((await rowsOf(await exportLeftovers(ADA, 'mine', inOrder('')), 'jsonl'))[0]).toMatchObject({
    ...{ key: `${EVIL}:10`, was: null, kind: 'tombstone', state: 'orphan', type: 'hash', deletion: null },
  });
});

it('is none where nothing is known: a file without rows would say that there is nothing', async () => {
  await expect(exportLeftovers(ADA, 'fresh', { format: 'csv' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(exportPlan(ADA, 'expiry', { format: 'csv' })).rejects.toMatchObject({ code: 'not_found' });
});
