import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifyAudit } from '@/lib/access/audit/verify-audit';
import { cancelJob } from '@/lib/jobs/cancel-job';
import { resumeJob } from '@/lib/jobs/resume-job';
import { backUp } from '@/lib/maintenance/backup/back-up';
import { restoreBackup } from '@/lib/maintenance/backup/restore-backup';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { getStoredJob } from '@/lib/store/jobs';
import { closeStore } from '@/lib/store/open-store';
import { seedLarge } from '../deletions/seed-large';
import { standWithProxy } from '../deletions/stand-per-test';
import { sleep } from '../servers/process';
import { holdMidway } from './hold-midway';
import { startNext } from './next-worker';

/**
 * A backup is made in the middle of a deletion, which then finishes; an application writes the keys again; then the
 * backup is restored. It contains keys to be deleted, and deleted keys to be restored: both are outdated.
 */
const N = 600;
const NAMES = Array.from({ length: 10 }, (_, i) => `app:${i}`);
let target: string;
let restored: string;

// Hooks run in reverse order, so this one runs after the store is closed.
afterEach(() => {
  for (const dir of [target, restored]) rmSync(dir, { recursive: true, force: true });
});
const on = standWithProxy({ runs: false });
beforeEach(() => {
  target = `${on.data.dir}.backup`;
  restored = `${on.data.dir}.restored`;
});

const readStates = async (id: string) => (await on.stand.items(id)).map(({ state }) => state);

async function backedUpInTheMiddle() {
  for (const name of NAMES) await seedLarge(on.client, 'hash', name, N);
  const id = await on.stand.plan(
    NAMES.map((name) => ({ name, type: 'hash', length: N, bytes: 5_000_000 })),
    { mode: 'archive' },
  );
  const job = await on.stand.start(id);
  const { held, started: first } = await holdMidway(on, id, 1, () => startNext(on.data.dir));
  await backUp(LOCAL_ADMIN, target, ['archives']);
  expect(await on.client.dbsize()).toBeGreaterThan(0);
  held.release();
  await on.stand.until(job, ['succeeded']);
  await first.end();
  for (const name of NAMES) await on.client.hset(name, 'written', 'since');
  const key = readFileSync(join(on.data.dir, 'vault.key'));
  await closeStore();
  process.env.COLONNADE_DATA = restored;
  await restoreBackup(target, { by: 'me', keepTokens: false });
  writeFileSync(join(restored, 'vault.key'), key, { mode: 0o600 });
  return { id, job };
}

const nothingChanged = async () => {
  expect((await on.client.keys('*')).sort()).toEqual(NAMES);
  for (const name of NAMES) expect(await on.client.hgetall(name)).toEqual({ written: 'since' });
};

it('waits for a person, and touches no key', async () => {
  const { id, job } = await backedUpInTheMiddle();
  const before = await readStates(id);
  expect(new Set(before).size).toBeGreaterThan(1);
  const worker = await startNext(restored);
  await on.stand.until(job, ['paused']);
  expect((await getStoredJob(job))?.job.reason).toMatchObject({ code: 'store_restored' });
  await sleep(500);
  await nothingChanged();
  // The same after another restart.
  await worker.end();
  await closeStore();
  const next = await startNext(restored);
  await sleep(500);
  expect((await getStoredJob(job))?.job).toMatchObject({ state: 'paused', reason: { code: 'store_restored' } });
  await nothingChanged();
  expect(await readStates(id)).toEqual(before);
  await next.end();
  expect(await verifyAudit()).toMatchObject({ ok: true });
});

it('undone by a person it brings nothing back over what was written since, and says so of each key', async () => {
  const { id, job } = await backedUpInTheMiddle();
  const worker = await startNext(restored);
  await on.stand.until(job, ['paused']);
  await cancelJob(LOCAL_ADMIN, job);
  await on.stand.until(job, ['cancelled']);
  const undo = await on.stand.start(id, 'undo');
  await on.stand.until(undo, ['succeeded', 'failed', 'paused']);
  await worker.end();
  expect((await getStoredJob(undo))?.job).toMatchObject({ state: 'failed', error: { code: 'nothing_undone' } });
  const items = await on.stand.items(id);
  for (const item of items.filter(({ state }) => state === 'done')) expect(item.reason?.code).toBe('recreated');
  expect(items.filter(({ state }) => state === 'undone')).toEqual([]);
  await nothingChanged();
});

it('resumed by a person it deletes nothing that is another key by now', async () => {
  const { id, job } = await backedUpInTheMiddle();
  const worker = await startNext(restored);
  await on.stand.until(job, ['paused']);
  await resumeJob(LOCAL_ADMIN, job);
  await on.stand.until(job, ['succeeded', 'failed', 'paused']);
  await worker.end();
  await nothingChanged();
  const codes = (await on.stand.items(id)).filter(({ state }) => state === 'aborted').map(({ reason }) => reason?.code);
  expect(codes.length).toBeGreaterThan(5);
  expect(new Set(codes)).toEqual(new Set(['changed_length']));
});
