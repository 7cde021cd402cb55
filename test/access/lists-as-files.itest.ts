import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportDeletions } from '@/lib/deletions/export/export-deletions';
import { exportItems } from '@/lib/deletions/export/export-items';
import { exportFleet } from '@/lib/instances/export/export-fleet';
import { exportServer } from '@/lib/instances/export/export-server';
import { exportJobs } from '@/lib/jobs/export-jobs';
import type { Actor } from '@/lib/model/actor';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { DownloadFile } from '@/lib/model/download-file';
import { encodeKey } from '@/lib/model/keys/key-id';
import { FILE_FORMATS, type FileFormat } from '@/lib/model/reports/file-formats';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { exportChecklist, exportExemptions, exportOwners } from '@/lib/policies/export-policy';
import { insertItems } from '@/lib/store/deletions/deletion-items';
import { insertDeletion } from '@/lib/store/deletions/deletions';
import { insertInstanceRow } from '@/lib/store/instances';
import { insertJob } from '@/lib/store/jobs';
import { transaction } from '@/lib/store/open-store';
import { putExemptionRow } from '@/lib/store/policies/exemptions';
import { putOwnerRow } from '@/lib/store/policies/owners';
import { temporaryData } from '@/test/temporary-data';
import { rowsOf } from './rows-of';

/**
 * Lists as files contain only rows that the caller may see, in every format. Each list has rows of two instances, one
 * of which belongs to another team, with names that a spreadsheet would execute.
 */
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
      rule: 'T1',
      prefix: `${id}:`,
      pattern: null,
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

const ALL = { q: '', env: '', tag: '' };
const LISTS: [string, (actor: Actor, format: FileFormat) => Promise<DownloadFile>, number][] = [
  ['fleet', (actor, format) => exportFleet(actor, ALL, { format }), 1],
  ['jobs', (actor, format) => exportJobs(actor, {}, { format }), 2],
  ['deletions', (actor, format) => exportDeletions(actor, {}, { format }), 1],
  ['exemptions', (actor, format) => exportExemptions(actor, null, { format }), 1],
  ['owners', (actor, format) => exportOwners(actor, null, { format }), 1],
];

describe.each(LISTS)('the file of %s', (name, file, each) => {
  it.each(['jsonl', 'parquet'] as const)('has the rows that somebody may see, and no other: %s', async (format) => {
    const mine = await rowsOf(await file(GUS, format), format);
    expect(mine).toHaveLength(each);
    expect(JSON.stringify(mine)).not.toContain('theirs');
    expect(await rowsOf(await file(ADA, format), format)).toHaveLength(2 * each);
    expect(await rowsOf(await file({ ...GUS, grants: [] }, format), format)).toEqual([]);
  });

  it('runs nothing in a spreadsheet', async () => {
    const { stream, filename } = await file(ADA, 'csv');
    const text = await new Response(stream).text();
    expect(filename).toMatch(new RegExp(`^colonnade-${name}-\\d{4}-\\d\\d-\\d\\d\\.csv$`));
    expect(text).toContain(`'${EVIL} mine`);
    expect(text).not.toMatch(/(^|,)"?[=@+]/m);
  });

  it('says the same in every format', async () => {
    const lines = await rowsOf(await file(ADA, 'jsonl'), 'jsonl');
    expect(await rowsOf(await file(ADA, 'parquet'), 'parquet')).toEqual(lines);
    const csv = (await new Response((await file(ADA, 'csv')).stream).text()).trimEnd().split('\n');
    expect(csv).toHaveLength(lines.length + 1);
    expect(csv[0]?.split(',')).toHaveLength(Object.keys(lines[0] ?? {}).length);
  });
});

it('is under the filter of the page', async () => {
  const names = async (filter: object) =>
    (await rowsOf(await exportFleet(ADA, { ...ALL, ...filter }, { format: 'jsonl' }), 'jsonl')).map(({ id }) => id);
  expect(await names({ tag: 'mine' })).toEqual(['mine']);
  expect(await names({ q: 'their' })).toEqual(['theirs']);
  const jobs = async (filter: object) =>
    (await rowsOf(await exportJobs(ADA, filter, { format: 'jsonl' }), 'jsonl')).map(({ state }) => state);
  expect(await jobs({ active: true })).toEqual(['paused', 'paused']);
  expect(await jobs({ ended: true })).toEqual(['succeeded', 'succeeded']);
  const ofOne = await rowsOf(await exportDeletions(ADA, { instanceId: 'mine' }, { format: 'jsonl' }), 'jsonl');
  expect(ofOne.map(({ id, selection }) => [id, selection])).toEqual([['mine-plan', '["secret:\\\\x00"]']]);
});

it('of the keys of a deletion has all of them, in the order of the plan', async () => {
  const facts = {
    ...{ nameBytes: 9, address: 'a:1', encoding: 'raw', length: 3, bytes: 64, expireAt: null, expiryKnown: true },
    ...{ idleSeconds: null, modeReason: null, hazards: [], newExpireAt: null },
  };
  const item = (seq: number) => ({
    ...{ seq, name: Buffer.from(`=key:${seq}`), db: 0, slot: 1, mode: 'unlink' as const, type: 'string' },
    ...{ facts: { ...facts, name: `=key:${seq}` }, state: seq % 2 ? ('done' as const) : ('failed' as const) },
  });
  await transaction((tx) =>
    insertItems(
      'mine-plan',
      Array.from({ length: 1_201 }, (_, i) => item(i + 1)),
      tx,
    ),
  );
  const file = async (format: FileFormat, state?: 'done') =>
    rowsOf(await exportItems(GUS, 'mine-plan', { state }, { format }), format);
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

it('measures a job by what it did', async () => {
  const [job] = await rowsOf(await exportJobs(ADA, { ended: true, instanceId: 'mine' }, { format: 'jsonl' }), 'jsonl');
  expect(job).toMatchObject({ done: 500, 'took (s)': 5, 'per second': 100, 'ended (UTC)': '1970-01-01T00:00:06.000Z' });
});

it('refuses whoever has not signed in', async () => {
  const nobody: Actor = { id: '', name: '', role: 'none', via: 'api' };
  for (const [, file] of LISTS)
    for (const format of FILE_FORMATS)
      await expect(file(nobody, format)).rejects.toMatchObject({ code: 'sign_in_needed' });
});

it('has the checklist of an instance, and nothing of one that somebody may not see', async () => {
  const items = await rowsOf(await exportChecklist(GUS, 'mine', { format: 'jsonl' }), 'jsonl');
  expect(items.length).toBeGreaterThan(3);
  expect(items[0]).toMatchObject({ state: 'open', title: expect.stringMatching(/\w/), 'answered (UTC)': null });
  for (const format of FILE_FORMATS) {
    await expect(exportChecklist(GUS, 'theirs', { format })).rejects.toMatchObject({ code: 'not_found' });
    await expect(exportServer(GUS, 'theirs', { format })).rejects.toMatchObject({ code: 'not_found' });
  }
});
