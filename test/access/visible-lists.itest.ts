import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportItems } from '@/lib/deletions/export/export-items';
import { listDeletions } from '@/lib/deletions/get-deletion';
import { getFleet } from '@/lib/instances/get-fleet';
import { listJobs } from '@/lib/jobs/list-jobs';
import type { Actor } from '@/lib/model/actor';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import { encodeKey } from '@/lib/model/keys/key-id';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { getChecklist } from '@/lib/policies/checklist';
import { listExemptions } from '@/lib/policies/exemptions';
import { listOwners } from '@/lib/policies/owners';
import { insertItems, updateItems } from '@/lib/store/deletions/deletion-items';
import { insertDeletion } from '@/lib/store/deletions/deletions';
import { insertInstanceRow } from '@/lib/store/instances';
import { insertJob } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';
import { putExemptionRow } from '@/lib/store/policies/exemptions';
import { putOwnerRow } from '@/lib/store/policies/owners';
import { temporaryData } from '@/test/temporary-data';
import { readRows } from './read-rows';

/** Lists contain only rows that the caller may see. Each has rows of two instances; one belongs to another team. */
const EVIL = "=cmd|'/c calc'!A1";
const GUS: Actor = {
  ...{ id: 'g', name: 'gus', role: 'none', via: 'api' },
  grants: [{ kind: 'instance', value: 'mine', role: 'viewer' }],
};
const ADA: Actor = { id: 'a', name: 'ada', role: 'viewer', via: 'api' };

let data: ReturnType<typeof temporaryData>;
beforeAll(async () => {
  data = temporaryData();
  for (const id of ['mine', 'theirs']) {
    const endpoints = [{ host: '127.0.0.1', port: 6379 }];
    const settings = InstanceSettings.parse({ name: `${EVIL} ${id}`, topology: 'standalone', endpoints, tags: [id] });
    const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
    await insertInstanceRow({ id, settings, sealed, createdAt: 1, updatedAt: 1 });
    for (const state of ['succeeded', 'paused'] as const) {
      const nothing = { snapshotId: null, reason: null, cost: null, error: null };
      const progress = { phase: 'done', done: 500, total: 500, unit: 'keys', ratePerSecond: null, etaSeconds: null };
      const when = { createdAt: 1, startedAt: 1000, endedAt: state === 'paused' ? null : 6000, updatedAt: 6000 };
      const job = { id: `${id}-${state}`, kind: 'scan', instanceId: id, instanceName: settings.name, state };
      const whole = {
        ...job,
        ...nothing,
        ...when,
        speed: 'gentle',
        actor: '@ada',
        progress: { ...progress, nodes: [] },
      };
      await insertJob(whole as Parameters<typeof insertJob>[0], null);
    }
    const exemption = {
      rules: ['T1'],
      prefixes: [`${id}:`],
      patterns: [],
      owner: settings.name,
      reason: '+1',
      expiresAt: null,
    };
    await putExemptionRow({ ...exemption, id, instanceId: id, createdAt: 1, createdBy: 'x' });
    await putOwnerRow({ id, instanceId: id, prefix: `${id}:`, team: settings.name });
    const keys = [{ k: encodeKey(Buffer.from('secret:\u0000')), db: 0 }];
    const totals = { keys: 1, elements: null, bytes: null, instanceKeys: null, byMode: [], byType: [] };
    const plan = { id: `${id}-plan`, instanceId: id, instanceName: settings.name, task: 'delete', totals };
    const rest = {
      selection: { by: 'keys', keys },
      options: {},
      createdAt: 1,
      createdBy: '-ada',
      consents: [],
      hazards: [],
      notices: [],
    };
    await insertDeletion({ ...plan, ...rest } as unknown as DeletionPlan);
  }
});
afterAll(() => data.remove());

const LISTS: [string, (actor: Actor) => Promise<unknown[]>, number][] = [
  ['fleet', getFleet, 1],
  ['jobs', listJobs, 2],
  ['deletions', (actor) => listDeletions(actor, {}), 1],
  ['exemptions', (actor) => listExemptions(actor, null), 1],
  ['owners', (actor) => listOwners(actor, null), 1],
];

it.each(LISTS)('the %s have the rows that somebody may see, and no other', async (_name, list, each) => {
  const mine = await list(GUS);
  expect(mine).toHaveLength(each);
  expect(JSON.stringify(mine)).not.toContain('theirs');
  expect(await list(ADA)).toHaveLength(2 * each);
  expect(await list({ ...GUS, grants: [] })).toEqual([]);
  const nobody: Actor = { id: '', name: '', role: 'none', via: 'api' };
  await expect(list(nobody)).rejects.toMatchObject({ code: 'sign_in_needed' });
});

it('nobody reads the checklist of an instance of others', async () => {
  expect((await getChecklist(GUS, 'mine')).length).toBeGreaterThan(3);
  await expect(getChecklist(GUS, 'theirs')).rejects.toMatchObject({ code: 'not_found' });
});

it('the file of the keys of a deletion has all of them, in the order of the plan', async () => {
  const facts = {
    ...{ nameBytes: 9, address: 'a:1', encoding: 'raw', length: 3, bytes: 64, expireAt: null, expiryKnown: true },
    ...{ idleSeconds: null, modeReason: null, hazards: [], newExpireAt: null },
  };
  const item = (seq: number) => ({
    ...{ seq, name: Buffer.from(`=key:${seq}`), db: 0, slot: 1, mode: 'unlink' as const, type: 'string' },
    facts: { ...facts, name: `=key:${seq}` },
  });
  const items = Array.from({ length: 1_201 }, (_, i) => item(i + 1));
  await runTransaction(async (tx) => {
    await insertItems('mine-plan', items, tx);
    const findEnd = (seq: number) => (seq % 2 ? ('done' as const) : ('failed' as const));
    await updateItems(
      'mine-plan',
      items.map(({ seq }) => ({ seq, patch: { state: findEnd(seq) } })),
      tx,
    );
  });
  const file = async (format: FileFormat, state?: 'done') =>
    readRows(await exportItems(GUS, 'mine-plan', { state }, { format }), format);
  const lines = await file('jsonl');
  expect(lines.map(({ key }) => key)).toEqual(Array.from({ length: 1_201 }, (_, i) => `=key:${i + 1}`));
  expect(lines[0]).toMatchObject({ 'memory (bytes)': 64, 'expires (UTC)': 'never', 'idle (s)': null, state: 'done' });
  expect(await file('parquet')).toEqual(lines);
  expect(await file('jsonl', 'done')).toEqual(lines.filter(({ state }) => state === 'done'));
  const csv = await new Response((await exportItems(GUS, 'mine-plan', {}, { format: 'csv' })).stream).text();
  expect(csv.trimEnd().split('\n')).toHaveLength(1_202);
  expect(csv).toContain("\n'=key:1201,");
  await expect(exportItems(GUS, 'theirs-plan', {}, { format: 'csv' })).rejects.toMatchObject({ code: 'not_found' });
});
