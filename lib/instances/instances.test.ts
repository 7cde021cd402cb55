import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { openTarget } from '@/lib/access/credentials/open-target';
import { createJob } from '@/lib/jobs/create-job';
import { pauseJob } from '@/lib/jobs/pause-job';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import type { Secret } from '@/lib/model/secret';
import { InstanceInput, InstanceUpdate } from '@/lib/model/servers/instance';
import { updateJob } from '@/lib/store/jobs';
import { noteInstanceNodes } from '@/lib/store/nodes/instance-nodes';
import { getAssignmentRow, putAssignmentRow } from '@/lib/store/policies/assignments';
import { listOwnerRows, putOwnerRow } from '@/lib/store/policies/owners';
import { insertSnapshot, listSnapshotRows } from '@/lib/store/snapshots';
import { temporaryData } from '@/test/temporary-data';
import { getFleet } from './get-fleet';
import { getInstance } from './get-instance';
import { listInstances } from './list-instances';
import { registerInstance } from './register-instance';
import { removeInstance } from './remove-instance';
import { testConnection } from './test-connection';
import { updateInstance } from './update-instance';

const CANARY = 'canary-7f3a-hunter2';
const VIEWER: Actor = { id: 'v', name: 'vera', role: 'viewer', via: 'page' };
const OPERATOR: Actor = { id: 'o', name: 'otto', role: 'operator', via: 'page' };
const input = (more: Record<string, unknown> = {}) =>
  InstanceInput.parse({
    name: 'orders',
    topology: 'standalone',
    endpoints: [{ host: '10.0.0.5', port: 6379 }],
    secrets: { password: CANARY },
    ...more,
  });
const update = (more: Record<string, unknown>) => InstanceUpdate.parse(more);
const snapshot = (id: string, instanceId: string, startedAt: number, state: 'live' | 'sealed' = 'sealed') => ({
  id,
  instanceId,
  jobId: null,
  state,
  startedAt,
  endedAt: null,
  keys: startedAt,
  bytes: null,
  bigkeys: 1,
  noExpiryKeys: null,
  partial: false,
  fileBytes: null,
});

const readSecrets = async (id: string) => {
  const target = await openTarget(id);
  expect(JSON.stringify(target) + inspect(target, { depth: 9 }) + String(target.password)).not.toContain(CANARY);
  const text = (secret: Secret | null) => secret?.reveal() ?? null;
  return {
    password: text(target.password),
    sentinelPassword: text(target.sentinelPassword),
    tlsKey: text(target.tlsKey),
  };
};

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

describe('registering', () => {
  it('gives the instance back without its secrets, which open only for the wire', async () => {
    const { warnings, ...instance } = await registerInstance(
      LOCAL_ADMIN,
      input({ secrets: { password: CANARY, tlsKey: `${CANARY}-key` } }),
    );
    expect(warnings).toEqual([]);
    expect(instance).toMatchObject({ name: 'orders', hasPassword: true, hasTlsKey: true, hasSentinelPassword: false });
    expect(await getInstance(VIEWER, instance.id)).toEqual(instance);
    expect(await listInstances(VIEWER)).toEqual([instance]);
    expect(await readSecrets(instance.id)).toEqual({
      password: CANARY,
      tlsKey: `${CANARY}-key`,
      sentinelPassword: null,
    });
  });

  it('leaves no trace of a secret in answers, audit rows or any file of the data folder', async () => {
    const instance = await registerInstance(LOCAL_ADMIN, input());
    await updateInstance(LOCAL_ADMIN, instance.id, update({ owner: 'team a', secrets: { password: `${CANARY}2` } }));
    await updateInstance(LOCAL_ADMIN, instance.id, update({ secrets: { tlsKey: `${CANARY}3` } }));
    const reported = [await listInstances(VIEWER), await getFleet(VIEWER), await listAudit(VIEWER)];
    expect(JSON.stringify(reported)).not.toContain(CANARY);
    for (const file of readdirSync(data.dir, { recursive: true, encoding: 'utf8' }))
      expect(readFileSync(join(data.dir, file)).includes(CANARY), file).toBe(false);
  });

  it('refuses a second instance of the same name, whatever its case', async () => {
    await registerInstance(LOCAL_ADMIN, input());
    const again = registerInstance(LOCAL_ADMIN, input({ name: 'Orders' }));
    await expect(again).rejects.toMatchObject({ code: 'conflict', details: { field: 'name' } });
  });

  it.each([
    [
      'two addresses without a cluster',
      {
        endpoints: [
          { host: 'a', port: 1 },
          { host: 'b', port: 2 },
        ],
      },
      'endpoints',
    ],
    ['Sentinel without a master name', { topology: 'sentinel' }, 'sentinelName'],
  ])('refuses %s and names the field', async (_what, more, field) => {
    await expect(registerInstance(LOCAL_ADMIN, input(more))).rejects.toMatchObject({
      code: 'bad_request',
      details: { field },
    });
  });
});

describe('changing', () => {
  it('is refused where somebody else has saved since, and made anyway by who does not say what was seen', async () => {
    const seen = await registerInstance(LOCAL_ADMIN, input({ readOnly: false }));
    const theirs = await updateInstance(LOCAL_ADMIN, seen.id, update({ readOnly: true }));
    expect(theirs.updatedAt).toBeGreaterThan(seen.updatedAt);
    const mine = update({ owner: 'me', readOnly: false, updatedAt: seen.updatedAt });
    await expect(updateInstance(LOCAL_ADMIN, seen.id, mine)).rejects.toMatchObject({
      code: 'conflict',
      details: { field: 'updatedAt' },
    });
    expect(await getInstance(LOCAL_ADMIN, seen.id)).toEqual(theirs);
    await updateInstance(LOCAL_ADMIN, seen.id, update({ owner: 'me', updatedAt: theirs.updatedAt }));
    await updateInstance(LOCAL_ADMIN, seen.id, update({ environment: 'staging' }));
    expect(await getInstance(LOCAL_ADMIN, seen.id)).toMatchObject({
      ...{ owner: 'me', readOnly: true, environment: 'staging' },
    });
  });

  it('keeps what is not given, also secrets; null and empty remove them', async () => {
    const { id } = await registerInstance(
      LOCAL_ADMIN,
      input({ tags: ['a'], readOnly: false, secrets: { password: 'p', tlsKey: 'k' } }),
    );
    const renamed = await updateInstance(LOCAL_ADMIN, id, update({ name: 'orders 2' }));
    expect(renamed).toMatchObject({ name: 'orders 2', tags: ['a'], readOnly: false, hasPassword: true });
    expect(await readSecrets(id)).toMatchObject({ password: 'p', tlsKey: 'k' });
    await updateInstance(LOCAL_ADMIN, id, update({ secrets: { password: 'new' } }));
    expect(await readSecrets(id)).toMatchObject({ password: 'new', tlsKey: 'k' });
    const without = await updateInstance(LOCAL_ADMIN, id, update({ secrets: { password: null, tlsKey: '' } }));
    expect(without).toMatchObject({ hasPassword: false, hasTlsKey: false });
    expect(await readSecrets(id)).toMatchObject({ password: null, tlsKey: null });
  });

  it.each([
    ['another host', { endpoints: [{ host: '10.0.0.6', port: 6379 }] }],
    ['another port', { endpoints: [{ host: '10.0.0.5', port: 6380 }] }],
    [
      'a further address',
      {
        topology: 'cluster',
        endpoints: [
          { host: '10.0.0.5', port: 6379 },
          { host: '10.0.0.6', port: 6379 },
        ],
      },
    ],
    ['Sentinel in between', { topology: 'sentinel', sentinelName: 'm' }],
    ['no TLS any more', { tls: { enabled: false } }],
    ['no check of the certificate', { tls: { enabled: true, skipVerify: true } }],
    ['another name in the certificate', { tls: { enabled: true, servername: 'evil.example' } }],
    ['another authority', { tls: { enabled: true, ca: 'PEM of somebody else' } }],
  ])('never lets a stored password go to %s', async (_what, more) => {
    const { warnings: _, ...before } = await registerInstance(LOCAL_ADMIN, input({ tls: { enabled: true } }));
    const changed = updateInstance(LOCAL_ADMIN, before.id, update(more));
    await expect(changed).rejects.toMatchObject({ code: 'bad_request', details: { reason: 'password_again' } });
    const { secrets: __, ...settings } = input({ tls: { enabled: true }, ...more });
    const tested = testConnection(LOCAL_ADMIN, { ...settings, secrets: {} }, before.id);
    await expect(tested).rejects.toMatchObject({ code: 'bad_request', details: { reason: 'password_again' } });
    expect(await getInstance(LOCAL_ADMIN, before.id)).toEqual(before);
    await updateInstance(LOCAL_ADMIN, before.id, update({ ...more, secrets: { password: 'given again' } }));
    expect((await readSecrets(before.id)).password).toBe('given again');
  });

  it('does not ask again where nothing is stored, or where an address only goes away', async () => {
    const bare = await registerInstance(LOCAL_ADMIN, input({ secrets: {} }));
    await updateInstance(LOCAL_ADMIN, bare.id, update({ endpoints: [{ host: '10.0.0.9', port: 1 }] }));
    const two = [
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
    ];
    const cluster = await registerInstance(LOCAL_ADMIN, input({ name: 'c', topology: 'cluster', endpoints: two }));
    await updateInstance(LOCAL_ADMIN, cluster.id, update({ endpoints: [{ host: 'B', port: 2 }] }));
    expect((await readSecrets(cluster.id)).password).toBe(CANARY);
  });
});

describe('removing', () => {
  it('takes the secrets and the snapshots along, but not the history', async () => {
    const { id } = await registerInstance(LOCAL_ADMIN, input());
    const other = await registerInstance(LOCAL_ADMIN, input({ name: 'other' }));
    await insertSnapshot(snapshot('snapshot1', id, 1));
    await insertSnapshot(snapshot('snapshot2', other.id, 1));
    for (const name of ['snapshot1', 'snapshot2']) {
      mkdirSync(join(data.dir, 'snapshots', name), { recursive: true });
      writeFileSync(join(data.dir, 'snapshots', name, 'keys.parquet'), 'x');
    }
    expect(await removeInstance(LOCAL_ADMIN, id)).toMatchObject({ id, name: 'orders' });
    expect((await listInstances(VIEWER)).map((i) => i.id)).toEqual([other.id]);
    expect((await listSnapshotRows(null)).map((s) => s.id)).toEqual(['snapshot2']);
    expect(readdirSync(join(data.dir, 'snapshots'))).toEqual(['snapshot2']);
    await expect(openTarget(id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await listAudit(VIEWER)).rows[0]).toMatchObject({ action: 'instance.remove', details: { snapshots: 1 } });
  });

  it('takes along what it was held against and who owned what in it', async () => {
    const { id } = await registerInstance(LOCAL_ADMIN, input());
    await putAssignmentRow(id, { profileId: 'S1', prefixes: [] });
    await putOwnerRow({ id: 'own', instanceId: id, prefix: 'a:', team: 't' });
    await putOwnerRow({ id: 'all', instanceId: null, prefix: 'a:', team: 't' });
    await removeInstance(LOCAL_ADMIN, id);
    expect(await getAssignmentRow(id)).toBeNull();
    expect((await listOwnerRows(null)).map((owner) => owner.id)).toEqual(['all']);
  });

  it('is refused while a job works on it, and cancels a paused one', async () => {
    const { id } = await registerInstance(LOCAL_ADMIN, input());
    const job = await createJob(LOCAL_ADMIN, {
      kind: 'scan',
      instanceId: id,
      instanceName: 'orders',
      speed: 'gentle',
      params: {},
    });
    await expect(removeInstance(LOCAL_ADMIN, id)).rejects.toMatchObject({
      code: 'job_running',
      details: { job: job.id },
    });
    await pauseJob(LOCAL_ADMIN, job.id);
    await removeInstance(LOCAL_ADMIN, id);
    expect((await getJob(VIEWER, job.id)).state).toBe('cancelled');
  });
});

describe('rights', () => {
  const acts = {
    register: (actor: Actor) => registerInstance(actor, input({ name: 'another' })),
    update: (actor: Actor, id: string) => updateInstance(actor, id, update({ name: 'x' })),
    remove: (actor: Actor, id: string) => removeInstance(actor, id),
    test: (actor: Actor, id: string) => testConnection(actor, input(), id),
  };
  it.each(Object.entries(acts))(
    '%s refuses a viewer and an operator, and keeps the attempt on record',
    async (name, act) => {
      const { warnings: _, ...before } = await registerInstance(LOCAL_ADMIN, input());
      for (const actor of [VIEWER, OPERATOR]) {
        await expect(act(actor, before.id)).rejects.toMatchObject({ code: 'forbidden' });
        const [last] = (await listAudit(VIEWER)).rows;
        expect(last).toMatchObject({ action: `instance.${name}`, actor: actor.name, outcome: 'refused' });
      }
      expect(await listInstances(VIEWER)).toEqual([before]);
    },
  );

  it.each(['register', 'update', 'remove'] as const)('%s leaves an audit row', async (name) => {
    const { id } = await registerInstance(LOCAL_ADMIN, input());
    const done = await acts[name](LOCAL_ADMIN, id);
    const [last] = (await listAudit(VIEWER)).rows;
    expect(last).toMatchObject({
      action: `instance.${name}`,
      instanceId: done.id,
      outcome: 'done',
      actor: 'local admin',
    });
  });
});

describe('the fleet', () => {
  it('shows each instance with its newest sealed snapshot, its open job and its growth', async () => {
    const a = await registerInstance(LOCAL_ADMIN, input({ name: 'a' }));
    const { warnings: _, ...b } = await registerInstance(LOCAL_ADMIN, input({ name: 'b' }));
    for (let i = 1; i <= 33; i++) await insertSnapshot(snapshot(`s${i}`, a.id, i));
    await insertSnapshot(snapshot('running', a.id, 99, 'live'));
    const job = await createJob(LOCAL_ADMIN, {
      kind: 'scan',
      instanceId: a.id,
      instanceName: 'a',
      speed: 'gentle',
      params: {},
    });
    await pauseJob(LOCAL_ADMIN, job.id);
    const rows = await getFleet(VIEWER);
    expect(rows.map((row) => row.instance.id)).toEqual([a.id, b.id]);
    expect(rows[0]).toMatchObject({ latest: { id: 's33' }, activeJob: { id: job.id, state: 'paused' } });
    expect(rows[0]?.keysHistory).toEqual(Array.from({ length: 30 }, (_, i) => i + 4));
    expect(rows[1]).toEqual({
      instance: b,
      latest: null,
      score: null,
      findings: null,
      activeJob: null,
      failedAt: null,
      keysHistory: [],
      replicaOf: null,
    });
  });

  it('names the master of an instance whose servers are replicas only', async () => {
    const { id } = await registerInstance(LOCAL_ADMIN, input({ name: 'a' }));
    const readReplicaOf = async () => (await getFleet(VIEWER))[0]?.replicaOf;
    expect(await readReplicaOf()).toBeNull();
    const replica = { address: '10.0.0.5:6379', runId: 'r1', masterAddress: '10.0.0.6:6379' };
    await noteInstanceNodes(id, [replica]);
    expect(await readReplicaOf()).toBe('10.0.0.6:6379');
    await noteInstanceNodes(id, [replica, { address: '10.0.0.6:6379', runId: 'm1', masterAddress: null }]);
    expect(await readReplicaOf()).toBeNull();
  });

  it('says that a scan failed until a later one was read', async () => {
    const { id } = await registerInstance(LOCAL_ADMIN, input({ name: 'a' }));
    const failedAt = async () => (await getFleet(VIEWER))[0]?.failedAt;
    const scan = { kind: 'scan' as const, instanceId: id, instanceName: 'a', speed: 'gentle' as const, params: {} };
    for (const endedAt of [500, 300]) {
      const job = await createJob(LOCAL_ADMIN, scan);
      expect(await failedAt()).toBe(endedAt === 500 ? null : 500);
      await updateJob(job.id, { state: 'failed', endedAt });
    }
    expect(await failedAt()).toBe(500);
    // Lists are sent to the page column by column if all rows have the same fields.
    await registerInstance(LOCAL_ADMIN, input({ name: 'b' }));
    const [failed, other] = await getFleet(VIEWER);
    expect(Object.keys(other!)).toEqual(Object.keys(failed!));
    await insertSnapshot(snapshot('before', id, 400));
    expect(await failedAt()).toBe(500);
    await insertSnapshot(snapshot('after', id, 600));
    expect(await failedAt()).toBeNull();
  });

  it('forgets a failed scan once another was read, also where its snapshot has been removed', async () => {
    const { id } = await registerInstance(LOCAL_ADMIN, input({ name: 'a' }));
    const states = async () => (await getFleet(VIEWER)).map(({ failedAt }) => failedAt);
    const scan = { kind: 'scan' as const, instanceId: id, instanceName: 'a', speed: 'gentle' as const, params: {} };
    for (const [state, endedAt] of [
      ['failed', 500],
      ['cancelled', 600],
      ['succeeded', 700],
      ['failed', 800],
    ] as const) {
      const { id: job } = await createJob(LOCAL_ADMIN, scan);
      await new Promise((resolve) => setTimeout(resolve, 2));
      await updateJob(job, { state, endedAt });
      expect(await states()).toEqual([{ failed: endedAt, cancelled: 500, succeeded: null }[state]]);
    }
  });
});
