import { chownSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findApiTokenActor } from '@/lib/access/auth/api-tokens';
import { findSessionActor } from '@/lib/access/auth/sessions';
import { addUser } from '@/lib/access/users/manage-users';
import { signIn } from '@/lib/access/users/sign-in';
import { createToken } from '@/lib/access/users/tokens';
import { useLink as openLink } from '@/lib/access/users/use-link';
import { createJob } from '@/lib/jobs/create-job';
import type { JobKind } from '@/lib/jobs/loop/job-kind';
import { createRunner } from '@/lib/jobs/loop/runner';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { closeStore } from '@/lib/store/open-store';
import { getStoreReadOnly, keepProbing, probeStore } from '@/lib/store/probe-store';
import { askApi } from '@/test/access/ask-api';
import { TestPostgres } from '@/test/servers/postgres';
import { temporaryData } from '@/test/temporary-data';
import { makeSmallDisk, noSmallDisk } from './small-disk';

/** A real PostgreSQL that becomes read-only while Colonnade runs. */
const PASSWORD = 'correct horse battery';
const FROM = { address: '10.0.0.1', agent: 'test' };
const MINUTE = 60_000;
const undo: (() => unknown)[] = [];
let server: TestPostgres;
beforeEach(async () => {
  const data = temporaryData();
  undo.push(() => data.remove());
  server = await TestPostgres.start();
  undo.push(() => server.stop());
  process.env.COLONNADE_DATABASE_URL = server.url;
  undo.push(closeStore);
});
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

async function ask(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
async function send(name: string, body?: unknown) {
  const response = await askApi(name, { body });
  return { status: response.status, body: await response.json() };
}
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
async function until(what: () => unknown): Promise<void> {
  for (let i = 0; i < 3000 && !(await what()); i++) await pause(20);
  expect(await what()).toBeTruthy();
}
async function person(): Promise<{ session: string; token: string }> {
  const { user, link } = await addUser(LOCAL_ADMIN, { name: 'ada', role: 'viewer', grants: [] });
  const opened = await openLink({ token: link.token, password: PASSWORD }, FROM);
  const made = await createToken(LOCAL_ADMIN, { name: 'ci', role: 'viewer', grants: [], days: 9 }, user.id);
  return { session: opened, token: made.secret };
}
/** Simulates a user who does something at the given number of minutes from now. */
const seen = (token: string, minutes: number) =>
  findSessionActor(token, { via: 'page', use: true, now: Date.now() + minutes * MINUTE });

it('a standby, or one that was made read-only: readers stay in, writes say why, jobs wait, it ends by itself', async () => {
  const ada = await person();
  let isHeld = true;
  let at = 0;
  const steps: JobKind<unknown, { at: number }> = {
    kind: 'toy',
    async run({ checkpoint, saveCheckpoint, getStopRequest }) {
      for (at = checkpoint?.at ?? 0; at < 20 || isHeld; at++) {
        if (getStopRequest()) return 'stopped';
        await saveCheckpoint({ at });
        await pause(5);
      }
      return 'done';
    },
  };
  const runner = createRunner({ kinds: [steps], concurrency: 1, pollMs: 20, tickMs: 20, leaseMs: 500, stopMs: 300 });
  undo.push(() => runner.stop());
  await runner.start();
  const toy = { kind: 'toy', instanceId: null, instanceName: null, speed: 'gentle', params: null } as const;
  const job = await createJob(LOCAL_ADMIN, toy);
  await until(() => at > 3);

  await ask('alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
  await until(() => getStoreReadOnly());
  expect(getStoreReadOnly()).toMatchObject({ cause: '25006' });
  for (const minutes of [20, 40, 60]) expect(await seen(ada.session, minutes)).toMatchObject({ name: 'ada' });
  expect(await seen(ada.session, 91)).toBeNull();
  expect(await findApiTokenActor(ada.token, { address: FROM.address, use: true })).toMatchObject({ via: 'token' });
  expect((await send('GET /api/users')).status).toBe(200);
  expect((await send('GET /api/session')).body).toMatchObject({ storeReadOnly: true });
  const refused = await send('POST /api/users', { name: 'eve', role: 'viewer', grants: [] });
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'store_read_only' } } });
  expect(refused.body.error.message).toMatch(/can only be read: a standby.*address of the primary/);
  expect(JSON.stringify(refused.body)).not.toContain('canary');
  await expect(signIn({ name: 'ada', password: PASSWORD }, FROM)).rejects.toMatchObject({ code: 'store_read_only' });
  expect(await send('GET /api/health?deep=1')).toMatchObject({
    status: 503,
    body: { ok: false, store: { ok: false, readOnly: true, error: expect.stringContaining('cannot be written') } },
  });
  await pause(1200);
  const waiting = { state: 'waiting', error: null, reason: { code: 'store_read_only', params: { cause: '25006' } } };
  expect(await getJob(LOCAL_ADMIN, job.id)).toMatchObject(waiting);

  await ask('set default_transaction_read_only = off', 'alter system reset default_transaction_read_only');
  await ask('select pg_reload_conf()');
  isHeld = false;
  undo.push(keepProbing(20, MINUTE));
  await until(() => getStoreReadOnly() === null);
  await until(async () => (await getJob(LOCAL_ADMIN, job.id)).state === 'succeeded');
  expect((await send('POST /api/users', { name: 'eve', role: 'viewer', grants: [] })).status).toBe(201);
  expect((await send('GET /api/session')).body).toMatchObject({ storeReadOnly: false });
});

it('a full disk: the same, and small writes that still fit do not end it', async () => {
  const missing = noSmallDisk();
  if (missing !== null) throw new Error(missing);
  const disk = makeSmallDisk(24);
  undo.unshift(() => disk.remove());
  const { uid, gid } = statSync(server.folder);
  chownSync(disk.dir, uid, gid);
  // The WAL of PostgreSQL is on another disk: if that were full, the server would end.
  await ask(`create tablespace small location '${disk.dir}'`, 'alter role colonnade set default_tablespace = small');
  const ada = await person();
  disk.fill();
  await expect(
    (async () => {
      for (let i = 0; i < 500; i++) await addUser(LOCAL_ADMIN, { name: `u${i}`, role: 'viewer', grants: [] });
    })(),
  ).rejects.toMatchObject({ code: 'store_read_only', message: expect.stringContaining('its disk is full') });
  expect(getStoreReadOnly()).toMatchObject({ cause: '53100' });
  for (const minutes of [20, 40, 60]) expect(await seen(ada.session, minutes)).toMatchObject({ name: 'ada' });
  expect((await send('GET /api/users')).status).toBe(200);
  await expect(probeStore()).rejects.toMatchObject({ code: 'store_read_only' });
  expect((await send('GET /api/session')).body).toMatchObject({ storeReadOnly: true });
  rmSync(join(disk.dir, 'filler'));
  undo.push(keepProbing(20, MINUTE));
  await until(() => getStoreReadOnly() === null);
  expect((await send('POST /api/users', { name: 'eve', role: 'viewer', grants: [] })).status).toBe(201);
});
