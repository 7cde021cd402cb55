import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { findSessionActor } from '@/lib/access/auth/sessions';
import { addUser } from '@/lib/access/users/manage-users';
import { signIn } from '@/lib/access/users/sign-in';
import { useLink as openLink } from '@/lib/access/users/use-link';
import { createJob } from '@/lib/jobs/create-job';
import type { JobKind } from '@/lib/jobs/loop/job-kind';
import { createRunner } from '@/lib/jobs/loop/runner';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { closeStore } from '@/lib/store/open-store';
import { getStoreReadOnly, keepProbing, probeStore } from '@/lib/store/probe-store';
import { askApi } from '@/test/access/ask-api';
import { temporaryData } from '@/test/temporary-data';
import { makeSmallDisk, noSmallDisk } from './small-disk';

/**
 * Real file systems that refuse writes while Colonnade runs: what can be read is still read, and everything recovers
 * without a restart.
 */
interface Disk {
  refuse(): void;
  mend(): void;
}
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

function full(): Disk {
  const before = process.env.COLONNADE_DATA;
  const disk = makeSmallDisk(8);
  process.env.COLONNADE_DATA = disk.dir;
  undo.push(async () => {
    await closeStore();
    disk.remove();
    process.env.COLONNADE_DATA = before;
  });
  return { refuse: () => disk.fill(), mend: () => rmSync(join(disk.dir, 'filler')) };
}

/**
 * Makes files immutable. Writes through files that are already open fail too, as with missing rights or a disk with
 * errors.
 */
function immutable(): Disk {
  const data = temporaryData();
  const set = (flag: '+i' | '-i') => void execFileSync('chattr', [flag, join(data.dir, 'colonnade.db-wal')]);
  undo.push(async () => {
    try {
      set('-i');
    } finally {
      await data.remove();
    }
  });
  return { refuse: () => set('+i'), mend: () => set('-i') };
}

function noImmutable(): string | null {
  const { dir } = temporaryData();
  try {
    const file = join(dir, 'probe');
    execFileSync('sh', ['-c', 'touch "$1" && chattr +i "$1" && ! (echo x >> "$1") 2>&-; chattr -i "$1"', '-', file], {
      stdio: 'pipe',
    });
    return null;
  } catch (error) {
    return `chattr +i needs root and a file system like ext4 below the temporary folder: ${String(error).split('\n')[0]}`;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function send(name: string, body?: unknown) {
  const response = await askApi(name, { body });
  return { status: response.status, body: await response.json() };
}

const PASSWORD = 'correct horse battery';
const FROM = { address: '10.0.0.1', agent: 'test' };
const MINUTE = 60_000;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
async function until(what: () => unknown): Promise<void> {
  for (let i = 0; i < 3000 && !(await what()); i++) await pause(20);
  expect(await what()).toBeTruthy();
}

const DISKS: [string, () => Disk, string | null][] = [
  ['a full disk', full, noSmallDisk()],
  ['files that refuse writes', immutable, noImmutable()],
];

it.for(DISKS)(
  '%s: reading goes on, writes and sign-in say why, jobs wait, and it ends by itself',
  async ([, make, missing]) => {
    if (missing !== null) throw new Error(missing);
    const disk = make();
    const { link } = await addUser(LOCAL_ADMIN, { name: 'ada', role: 'viewer', grants: [] });
    const token = await openLink({ token: link.token, password: PASSWORD }, FROM);
    let at = 0;
    let isHeld = true;
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
    const job = await createJob(LOCAL_ADMIN, {
      kind: 'toy',
      instanceId: null,
      instanceName: null,
      speed: 'gentle',
      params: null,
    });
    await until(() => at > 3);

    disk.refuse();
    await expect(
      (async () => {
        // SQLite still writes what fits into the free pages of its files.
        for (let i = 0; i < 200; i++) await addUser(LOCAL_ADMIN, { name: `u${i}`, role: 'viewer', grants: [] });
      })(),
    ).rejects.toMatchObject({ code: 'store_read_only', message: expect.stringContaining('cannot be written') });
    await until(() => getStoreReadOnly());

    const refused = await send('POST /api/users', { name: 'eve', role: 'viewer', grants: [] });
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'store_read_only' } } });
    expect((await send('GET /api/users')).status).toBe(200);
    expect((await send('GET /api/session')).body).toMatchObject({ storeReadOnly: true });
    expect(await send('GET /api/health?deep=1')).toMatchObject({
      status: 503,
      body: { ok: false, store: { ok: false, readOnly: true, error: expect.stringContaining('cannot be written') } },
    });
    await expect(signIn({ name: 'ada', password: PASSWORD }, FROM)).rejects.toMatchObject({ code: 'store_read_only' });
    // A caller who has not signed in must not learn the path of the files.
    process.env.COLONNADE_SINGLE_USER = '';
    const stranger = await send('POST /api/session', { name: 'ada', password: PASSWORD });
    process.env.COLONNADE_SINGLE_USER = '1';
    expect(stranger).toMatchObject({ status: 503, body: { error: { code: 'store_read_only' } } });
    expect(JSON.stringify(stranger.body)).not.toMatch(/[/]|folder/);

    // A signed-in user stays signed in while active, although no row can record the activity now.
    const seen = (minutes: number) =>
      findSessionActor(token, { via: 'page', use: true, now: Date.now() + minutes * MINUTE });
    for (const minutes of [20, 40, 60]) expect(await seen(minutes)).toMatchObject({ name: 'ada' });
    expect(await seen(91)).toBeNull();

    const waiting = { reason: { code: 'store_read_only' } };
    expect(await getJob(LOCAL_ADMIN, job.id)).toMatchObject({ state: 'waiting', ...waiting });
    expect((await send('GET /api/jobs')).body.jobs).toMatchObject([waiting]);
    // The pause is longer than the lease.
    await pause(1200);
    expect(await getJob(LOCAL_ADMIN, job.id)).toMatchObject({ state: 'waiting', error: null, ...waiting });
    await expect(probeStore()).rejects.toMatchObject({ code: 'store_read_only' });

    disk.mend();
    isHeld = false;
    const stop = keepProbing(20, MINUTE);
    undo.push(stop);
    await until(() => getStoreReadOnly() === null);
    await until(async () => (await getJob(LOCAL_ADMIN, job.id)).state === 'succeeded');
    expect(await getJob(LOCAL_ADMIN, job.id)).toMatchObject({ reason: null, error: null });
    expect((await send('POST /api/users', { name: 'eve', role: 'viewer', grants: [] })).status).toBe(201);
    expect((await send('GET /api/session')).body).toMatchObject({ storeReadOnly: false });
    expect((await send('GET /api/health?deep=1')).body).toMatchObject({
      store: { ok: true, readOnly: false },
    });
  },
);

it('a lock that another process holds for longer than anybody waits: readers stay in', async () => {
  const data = temporaryData();
  undo.push(() => data.remove());
  const { link } = await addUser(LOCAL_ADMIN, { name: 'ada', role: 'viewer', grants: [] });
  const token = await openLink({ token: link.token, password: PASSWORD }, FROM);
  const other = new Database(join(data.dir, 'colonnade.db'));
  undo.push(() => other.close());
  other.exec('begin immediate');
  const seen = (minutes: number) =>
    findSessionActor(token, { via: 'page', use: true, now: Date.now() + minutes * MINUTE });
  for (const minutes of [20, 40]) expect(await seen(minutes)).toMatchObject({ name: 'ada' });
  await expect(addUser(LOCAL_ADMIN, { name: 'eve', role: 'viewer', grants: [] })).rejects.toMatchObject({
    code: 'data_locked',
  });
  other.exec('rollback');
  expect(await seen(60)).toMatchObject({ name: 'ada' });
});
