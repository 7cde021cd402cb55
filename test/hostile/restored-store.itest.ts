import { cpSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { findSessionActor } from '@/lib/access/auth/sessions';
import { readRestoredTime } from '@/lib/jobs/loop/park-restored-jobs';
import { addUser } from '../../lib/access/users/manage-users';
import { useLink as openLink } from '../../lib/access/users/use-link';
import { getArchivesFolder, listArchives } from '../../lib/access/vault/archive-folder';
import { sweepDeletions } from '../../lib/deletions/sweep-deletions';
import { pauseJob } from '../../lib/jobs/pause-job';
import { resumeJob } from '../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { updateItem } from '../../lib/store/deletions/deletion-items';
import { getStoredDeletion, updateDeletion } from '../../lib/store/deletions/deletions';
import { getStoredJob } from '../../lib/store/jobs';
import { closeStore, getDb, runTransaction } from '../../lib/store/open-store';
import { readObservedNow } from '../../lib/store/settings/observed-clock';
import { killWorker, startWorker } from '../deletions/faults/worker-process';
import { seedLarge } from '../deletions/seed-large';
import { standWithProxy } from '../deletions/stand-per-test';
import { sleep } from '../servers/process';
import { holdMidway } from './hold-midway';
import { startNext } from './next-worker';

/**
 * A store from before the work does not know what was done: if it continued by itself, it would delete what has been
 * restored since. After a crash the store knows everything, and the work continues without a confirmation.
 */
const N = 600;
const NAMES = Array.from({ length: 5 }, (_, i) => `app:${i}`);
let backup: string;

// Hooks run in reverse order, so this one runs after the store is closed.
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(backup, { recursive: true, force: true });
});
// Separate processes carry it out, so that they can be killed.
const on = standWithProxy({ runs: false });
beforeEach(() => {
  backup = `${on.data.dir}.backup`;
});

const seed = () => Promise.all(NAMES.map((name) => seedLarge(on.client, 'hash', name, N)));
const planned = () => on.stand.plan(NAMES.map((name) => ({ name, type: 'hash', length: N, bytes: 5_000_000 })));
const copy = (from: string, to: string, only: (name: string) => boolean = () => true) => {
  for (const name of readdirSync(from).filter(only))
    cpSync(join(from, name), join(to, name), { recursive: true, preserveTimestamps: true });
};
const isStore = (name: string) => name.startsWith('colonnade.db');
/**
 * Copies the folder as it is. A real backup is never restored within the same second, so this one is two seconds old.
 */
function keep() {
  cpSync(on.data.dir, backup, { recursive: true, preserveTimestamps: true });
  const mark = join(backup, 'high-water-mark');
  const past = new Date(statSync(mark).mtimeMs - 2000);
  utimesSync(mark, past, past);
}

async function killMidway(id: string, done: number): Promise<void> {
  const { held, started } = await holdMidway(on, id, done, () => startWorker(on.data.dir));
  await killWorker(started);
  held.drop();
}

/**
 * Kills the deletion in the middle and copies the folder; the next process finishes the deletion; then everything is
 * undone.
 */
async function keptAndFinished(): Promise<{ id: string; job: string }> {
  await seed();
  const id = await planned();
  const job = await on.stand.start(id);
  await killMidway(id, 1);
  expect(await on.client.dbsize()).toBeGreaterThan(0);
  await closeStore();
  keep();
  const second = await startNext(on.data.dir);
  await on.stand.until(job, ['succeeded']);
  await second.end();
  expect(await on.client.dbsize()).toBe(0);
  await seed();
  await closeStore();
  return { id, job };
}
async function waitsForPerson(job: string) {
  const worker = await startWorker(on.data.dir);
  await on.stand.until(job, ['paused']);
  expect((await getStoredJob(job))?.job.reason).toMatchObject({ code: 'store_restored' });
  expect((await on.client.keys('*')).sort()).toEqual(NAMES);
  return worker;
}

describe('a store that is older than what was done waits for a person', () => {
  it.each<[string, () => void]>([
    [
      'the whole folder was put back',
      () => {
        rmSync(on.data.dir, { recursive: true });
        cpSync(backup, on.data.dir, { recursive: true, preserveTimestamps: true });
      },
    ],
    ['the whole folder was copied over', () => copy(backup, on.data.dir)],
    [
      'only the database was put back',
      () => {
        for (const name of readdirSync(on.data.dir).filter(isStore)) rmSync(join(on.data.dir, name));
        copy(backup, on.data.dir, isStore);
      },
    ],
    [
      'only the database was kept',
      () => {
        rmSync(on.data.dir, { recursive: true });
        cpSync(backup, on.data.dir, {
          recursive: true,
          preserveTimestamps: true,
          filter: (from) => !from.endsWith('mark'),
        });
      },
    ],
  ])('%s', async (_, restore) => {
    const { id, job } = await keptAndFinished();
    restore();
    const worker = await waitsForPerson(job);
    // After a user has checked the job, it continues, also by itself after the next crash.
    const { held } = await holdMidway(on, id, 1, () => resumeJob(LOCAL_ADMIN, job));
    await killWorker(worker);
    held.drop();
    await closeStore();
    const next = await startNext(on.data.dir);
    await on.stand.until(job, ['succeeded']);
    await next.end();
  });

  it('also the end of a quarantine that it knows of', async () => {
    await on.client.hset('app:0', { a: 1 });
    const id = await on.stand.plan([{ name: 'app:0', type: 'hash', length: 1, bytes: 5_000_000 }], {
      mode: 'quarantine',
      afterQuarantine: 'unlink',
    });
    const job = await on.stand.start(id);
    const first = await startNext(on.data.dir);
    await on.stand.until(job, ['succeeded']);
    await first.end();
    await closeStore();
    keep();
    copy(backup, on.data.dir);
    const second = await startNext(on.data.dir);
    await expect.poll(readRestoredTime, { timeout: 60_000 }).not.toBeNull();
    // This is observed time: the time between the two processes was not observed.
    const past = (await readObservedNow()) - 1000;
    const [item] = await on.stand.items(id);
    await updateItem(id, 0, { undoUntil: past, journal: { ...(item?.journal as object), purgeAt: past } });
    await sweepDeletions();
    const purge = (await getStoredDeletion(id))?.jobId ?? '';
    expect(purge).not.toBe(job);
    expect((await getStoredJob(purge))?.job).toMatchObject({ state: 'paused', reason: { code: 'store_restored' } });
    await sleep(500);
    expect(await on.client.keys('colonnade:*')).toHaveLength(1);
    await resumeJob(LOCAL_ADMIN, purge);
    await on.stand.until(purge, ['succeeded']);
    expect(await on.client.dbsize()).toBe(0);
    await second.end();
  });

  it('archives that were written after it heard of the work last', async () => {
    const { id, job } = await runningWithoutProcess();
    const later = new Date(Date.now() + 120_000);
    const [archive] = await listArchives(id);
    utimesSync(join(getArchivesFolder(), archive?.file ?? ''), later, later);
    const next = await startNext(on.data.dir);
    await on.stand.until(job, ['paused']);
    expect((await getStoredJob(job))?.job.reason).toMatchObject({ code: 'store_restored' });
    await next.end();
  });
});

/** Leaves a running job without a process, as a crash does. */
async function runningWithoutProcess(): Promise<{ id: string; job: string }> {
  await seed();
  const id = await planned();
  const job = await on.stand.start(id);
  await killMidway(id, 1);
  return { id, job };
}

it('a process that was away for longer than a plan stays fresh asks before it goes on', async () => {
  const { id, job } = await runningWithoutProcess();
  const left = await on.client.dbsize();
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const { file } of await listArchives(id)) utimesSync(join(getArchivesFolder(), file), hourAgo, hourAgo);
  const db = await getDb(undefined);
  await db.updateTable('jobs').set({ updated_at: hourAgo.getTime() }).where('id', '=', job).execute();
  const next = await startNext(on.data.dir);
  await on.stand.until(job, ['paused']);
  expect((await getStoredJob(job))?.job.reason).toMatchObject({ code: 'store_gap' });
  expect(await on.client.dbsize()).toBe(left);
  await resumeJob(LOCAL_ADMIN, job);
  await on.stand.until(job, ['succeeded']);
  await next.end();
});

it('one that slept that long in the middle asks, too', async () => {
  await seed();
  const id = await planned();
  await on.stand.runner.start();
  const { held, started: job } = await holdMidway(on, id, 0, () => on.stand.start(id));
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
  held.release();
  await on.stand.until(job, ['paused'], 7_200_000);
  vi.restoreAllMocks();
  expect((await getStoredJob(job))?.job.reason).toMatchObject({ code: 'store_gap' });
  expect(await on.client.dbsize()).toBeGreaterThan(0);
});

it('what was paused before stays paused, and says that the store is another', async () => {
  await seed();
  const id = await planned();
  const job = await on.stand.start(id);
  await pauseJob(LOCAL_ADMIN, job);
  const first = await startNext(on.data.dir);
  await expect.poll(() => readdirSync(on.data.dir), { timeout: 60_000 }).toContain('high-water-mark');
  await first.end();
  await closeStore();
  keep();
  copy(backup, on.data.dir);
  const next = await startNext(on.data.dir);
  await expect
    .poll(async () => (await getStoredJob(job))?.job.reason?.code, { timeout: 60_000 })
    .toBe('store_restored');
  expect((await on.client.keys('*')).sort()).toEqual(NAMES);
  await next.end();
});

it('whoever was signed in then is not any more, and no plan is approved any more', async () => {
  const from = { address: '::1', agent: 'a' };
  const { link } = await addUser(LOCAL_ADMIN, { name: 'ada', role: 'admin', grants: [] });
  const session = await openLink({ token: link.token, password: 'correct horse battery' }, from);
  const id = await planned();
  const person = { id: 'x', name: 'x' };
  const at = Date.now();
  const asked = {
    planCreatedAt: at,
    consents: [],
    reason: 'why',
    requestedBy: person,
    requestedAt: at,
    expiresAt: at + 3_600_000,
  };
  const approval = { ...asked, state: 'approved', decidedBy: person, decidedAt: at, note: '' } as const;
  await runTransaction((tx) => updateDeletion(id, { approval }, tx));
  const isIn = () => findSessionActor(session, { via: 'page', use: false, now: Date.now() });
  // A crash alone is no sign of a restored store.
  for (const begin of [startWorker, startNext]) {
    const worker = await begin(on.data.dir);
    await expect.poll(() => readdirSync(on.data.dir), { timeout: 60_000 }).toContain('high-water-mark');
    await ('end' in worker ? worker.end() : killWorker(worker));
    expect(await isIn()).toMatchObject({ name: 'ada' });
    expect((await getStoredDeletion(id))?.approval).toEqual(approval);
  }
  await closeStore();
  keep();
  copy(backup, on.data.dir);
  const next = await startNext(on.data.dir);
  await expect.poll(readRestoredTime, { timeout: 60_000 }).not.toBeNull();
  await next.end();
  expect(await isIn()).toBeNull();
  expect((await getStoredDeletion(id))?.approval).toBeNull();
  expect((await listAudit(LOCAL_ADMIN, { action: 'store.restore' })).rows).toMatchObject([
    { subject: 'by hand', details: { evidence: 'copied', sessions: 1, approvals: 1 } },
  ]);
});
