import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { openTarget } from '@/lib/access/credentials/open-target';
import { deletionKind } from '@/lib/deletions/deletion-kind';
import { makePlan } from '@/lib/deletions/make-plan';
import { startDeletion } from '@/lib/deletions/start-deletion';
import { sweepDeletions } from '@/lib/deletions/sweep-deletions';
import { undoDeletion } from '@/lib/deletions/undo-deletion';
import { registerInstance } from '@/lib/instances/register-instance';
import { testConnection } from '@/lib/instances/test-connection';
import { updateInstance } from '@/lib/instances/update-instance';
import { setWriteUser, withdrawWriteUser } from '@/lib/instances/write-user';
import { createRunner, type Runner } from '@/lib/jobs/loop/runner';
import { resumeJob } from '@/lib/jobs/resume-job';
import { setJobSpeed } from '@/lib/jobs/set-job-speed';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import type { Consent } from '@/lib/model/deletions/plan-request';
import { type AclUser, buildAclRules } from '@/lib/model/servers/acl-users';
import { InstanceInput, InstanceUpdate, WriteUserInput } from '@/lib/model/servers/instance';
import { getInstanceRow } from '@/lib/store/instances';
import { getStoredJob } from '@/lib/store/jobs';
import { startFaultProxy } from '@/test/deletions/faults/fault-proxy';
import { findLeftovers } from '@/test/deletions/find-leftovers';
import { seedLarge } from '@/test/deletions/seed-large';
import { makeDeletion } from '@/test/deletions/stand-per-test';
import { sleep, until } from '@/test/servers/process';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { temporaryData } from '@/test/temporary-data';

/**
 * One user reads, another one writes. The first may not write at all, so every change was made by the second; denied
 * attempts would be listed in ACL LOG.
 */
const LOOK = 'canary-look';
const WRITE = 'canary-write';
const N = 6000;
let redis: RedisServer;
let client: Redis;
let data: ReturnType<typeof temporaryData>;
let runner: Runner;
const proxies: { stop(): Promise<unknown> }[] = [];

beforeAll(async () => {
  redis = await startRedis({});
  client = redis.client();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  data = temporaryData();
  await client.flushall();
  const user = (name: string, password: string, may: AclUser) =>
    client.call(
      ...(['ACL', 'SETUSER', name, 'reset', 'on', `>${password}`, '~*', '-@all'] as const),
      ...buildAclRules(may, { flavor: 'redis', version: '7.0' }).split(' '),
    );
  await user('look', LOOK, 'scan');
  await user('write', WRITE, 'delete');
  await client.call('ACL', 'LOG', 'RESET');
  runner = createRunner({ kinds: [deletionKind as never], concurrency: 2, tickMs: 100, pollMs: 50 });
  await runner.start();
});
afterEach(async () => {
  await runner.stop();
  for (const proxy of proxies.splice(0)) await proxy.stop();
  await data.remove();
});

const input = (over: Record<string, unknown> = {}) =>
  InstanceInput.parse({
    name: 'stand',
    topology: 'standalone',
    endpoints: [{ host: '127.0.0.1', port: redis.port }],
    username: 'look',
    separateWriteUser: true,
    readOnly: false,
    secrets: { password: LOOK },
    ...over,
  });
const registered = async (over: Record<string, unknown> = {}) => (await registerInstance(LOCAL_ADMIN, input(over))).id;
const give = (id: string, password = WRITE, username: string | null = 'write') =>
  setWriteUser(LOCAL_ADMIN, id, WriteUserInput.parse({ username, password }));
const plan = (id: string, names: string[], options = {}) => makePlan(LOCAL_ADMIN, makeDeletion(id, names, options));
const start = (planId: string, consents: Consent[] = []) =>
  startDeletion(LOCAL_ADMIN, { planId, confirm: 'stand', consents });
const jobIn = (jobId: string, state: string) =>
  until(`job ${state}`, async () => (await getStoredJob(jobId))?.job.state === state, 120_000);
const readReason = async (jobId: string) => (await getStoredJob(jobId))?.job.reason?.code;
/** Returns what the reading user tried and was denied, except PING and the probes of a plan. */
const deniedToLook = async () =>
  ((await client.call('ACL', 'LOG')) as unknown[][])
    .map((row) => Object.fromEntries(Array.from({ length: row.length / 2 }, (_, i) => [row[2 * i], row[2 * i + 1]])))
    .filter((row) => row.username === 'look')
    .map((row) => String(row.object));

it('is asked for when the first key is to be changed, and everything goes over it then', async () => {
  await seedLarge(client, 'hash', 'h', 2000);
  await client.set('s', 'x');
  const id = await registered();
  const made = await plan(id, ['h', 's']);
  expect(made.totals.keys).toBe(2);
  expect(made.notices.map(({ code }) => code)).toContain('write_credentials_missing');
  expect(made.commands.join(' ')).toContain('RENAMENX');
  await expect(start(made.id)).rejects.toMatchObject({ code: 'write_credentials_missing' });
  expect(await client.exists('h', 's')).toBe(2);

  await give(id);
  const { job } = await start(made.id);
  await jobIn(job?.id ?? '', 'succeeded');
  expect(await client.dbsize()).toBe(0);

  const undo = await undoDeletion(LOCAL_ADMIN, made.id, { restoreExpired: false });
  await jobIn(undo.job?.id ?? '', 'succeeded');
  expect(await client.hlen('h')).toBe(2000);
  expect(await client.get('s')).toBe('x');
  expect(await deniedToLook()).toEqual([]);
});

it('a password or a user that the server refuses is not stored, and says so', async () => {
  const id = await registered();
  for (const [password, username] of [
    ['wrong', 'write'],
    [WRITE, 'nobody'],
  ] as const)
    await expect(give(id, password, username)).rejects.toMatchObject({ code: 'write_credentials_refused' });
  await client.call('ACL', 'SETUSER', 'write', 'off');
  await expect(give(id)).rejects.toMatchObject({ code: 'write_credentials_refused' });
  expect((await getInstanceRow(id))?.sealed.writePassword).toBeNull();
  const { rows } = await listAudit(LOCAL_ADMIN, { limit: 10 });
  const tried = rows.filter(({ action }) => action === 'instance.set_write_user');
  expect(tried.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed']);
  expect(JSON.stringify(rows)).not.toContain(WRITE);
});

describe('withdrawn', () => {
  async function midway(names: string[]) {
    const proxy = await startFaultProxy(redis.port);
    proxies.push(proxy);
    for (const name of names) await seedLarge(client, 'hash', name, N);
    const id = await registered({ endpoints: [{ host: '127.0.0.1', port: proxy.port }] });
    await give(id);
    const made = await plan(id, names, { speed: 'gentle' });
    const struck = proxy.strike({ word: 'HDEL', after: 2, act: 'hold' });
    const { job } = await start(made.id);
    return { id, job: job?.id ?? '', planId: made.id, held: await struck };
  }
  const left = async () => {
    const names = await client.keys('*');
    return (await Promise.all(names.map((name) => client.hlen(name)))).reduce((sum, length) => sum + length, 0);
  };

  it('in the middle, the deletion waits; given again, it goes on and can be undone', async () => {
    const { id, job, planId, held } = await midway(['app:1', 'app:2']);
    await withdrawWriteUser(LOCAL_ADMIN, id);
    await sleep(300);
    held.release();
    await jobIn(job, 'paused');
    expect(await readReason(job)).toBe('write_credentials_missing');
    const then = await left();
    expect(then).toBeGreaterThan(0);
    await resumeJob(LOCAL_ADMIN, job);
    await jobIn(job, 'paused');
    expect(await left()).toBe(then);
    await expect(undoDeletion(LOCAL_ADMIN, planId, { restoreExpired: false })).rejects.toMatchObject({
      code: 'write_credentials_missing',
    });

    await give(id);
    await setJobSpeed(LOCAL_ADMIN, job, 'fast');
    await resumeJob(LOCAL_ADMIN, job);
    await jobIn(job, 'succeeded');
    expect(await left()).toBe(0);
    const undo = await undoDeletion(LOCAL_ADMIN, planId, { restoreExpired: false });
    await setJobSpeed(LOCAL_ADMIN, undo.job?.id ?? '', 'fast');
    await jobIn(undo.job?.id ?? '', 'succeeded');
    expect(await left()).toBe(2 * N);
    expect(await deniedToLook()).toEqual([]);
  }, 300_000);

  it('by the server, the deletion waits for a person instead of failing', async () => {
    const { id, job, held } = await midway(['app:1']);
    await client.call('ACL', 'SETUSER', 'write', 'resetpass', '>another');
    await client.call('CLIENT', 'KILL', 'USER', 'write');
    held.release();
    await jobIn(job, 'paused');
    expect(await readReason(job)).toBe('write_credentials_refused');
    await give(id, 'another');
    await setJobSpeed(LOCAL_ADMIN, job, 'fast');
    await resumeJob(LOCAL_ADMIN, job);
    await jobIn(job, 'succeeded');
    expect(await left()).toBe(0);
  }, 300_000);

  it('what is quarantined stays until it is given again', async () => {
    await client.set('q', 'x');
    const id = await registered();
    await give(id);
    const made = await plan(id, ['q'], { mode: 'quarantine', quarantineHours: 0.01, afterQuarantine: 'drain' });
    const { job } = await start(made.id, made.consents);
    await jobIn(job?.id ?? '', 'succeeded');
    await withdrawWriteUser(LOCAL_ADMIN, id);
    const due = Date.now() + 3_600_000;
    await sweepDeletions(due);
    await sleep(500);
    expect(await client.dbsize()).toBe(1);
    // The reading user still finds it.
    expect(await findLeftovers(id)).toHaveLength(1);
  });
});

describe('its password', () => {
  it('is opened for whoever changes keys alone', async () => {
    const id = await registered();
    await give(id);
    expect((await openTarget(id)).writePassword).toBeNull();
    expect((await openTarget(id, { forWriting: true })).writePassword?.reveal()).toBe(WRITE);
  });

  it('goes with the setting, and to no other address', async () => {
    const id = await registered({ secrets: { password: LOOK, writePassword: WRITE }, writeUsername: 'write' });
    const change = (body: object) => updateInstance(LOCAL_ADMIN, id, InstanceUpdate.parse(body));
    const elsewhere = { endpoints: [{ host: '127.0.0.2', port: redis.port }] };
    await expect(change({ ...elsewhere, secrets: { password: LOOK } })).rejects.toMatchObject({
      code: 'bad_request',
      details: { field: 'secrets.writePassword', reason: 'password_again' },
    });
    await expect(
      testConnection(LOCAL_ADMIN, input({ ...elsewhere, secrets: { password: LOOK } }), id),
    ).rejects.toMatchObject({ details: { field: 'secrets.writePassword' } });
    // With one user for both again, nothing of the other is kept.
    const { separateWriteUser, hasWritePassword, writeUsername } = await change({ separateWriteUser: false });
    expect({ separateWriteUser, hasWritePassword, writeUsername }).toEqual({
      separateWriteUser: false,
      hasWritePassword: false,
      writeUsername: null,
    });
    await change({ ...elsewhere, secrets: { password: LOOK } });
    // A password that is not used is not stored.
    await change({ secrets: { writePassword: WRITE }, writeUsername: 'write' });
    expect((await getInstanceRow(id))?.sealed.writePassword).toBeNull();
  });

  it('is tried by the connection test, and the field is named', async () => {
    const typed = (writePassword: string) =>
      input({ writeUsername: 'write', secrets: { password: LOOK, writePassword } });
    await expect(testConnection(LOCAL_ADMIN, typed('wrong'))).rejects.toMatchObject({
      code: 'write_credentials_refused',
    });
    expect((await testConnection(LOCAL_ADMIN, typed(WRITE))).username).toBe('look');
  });
});

it('two who give it at once: one of them is told, and what is stored works', async () => {
  const id = await registered();
  const results = await Promise.allSettled([give(id), give(id)]);
  expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
  for (const one of results) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' });
  expect((await openTarget(id, { forWriting: true })).writePassword?.reveal()).toBe(WRITE);
});
