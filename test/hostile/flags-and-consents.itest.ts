import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { makePlan } from '../../lib/deletions/make-plan';
import { startDeletion } from '../../lib/deletions/start-deletion';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { pauseJob } from '../../lib/jobs/pause-job';
import { resumeJob } from '../../lib/jobs/resume-job';
import { setJobSpeed } from '../../lib/jobs/set-job-speed';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import type { InstanceSettings } from '../../lib/model/servers/instance';
import { deleteInstanceRow, getInstanceRow, updateInstanceRow } from '../../lib/store/instances';
import { getStoredJob } from '../../lib/store/jobs';
import { computeDigest } from '../deletions/digest';
import { startFaultProxy } from '../deletions/faults/fault-proxy';
import { seedLarge } from '../deletions/seed-large';
import { makeDeletion, standPerTest } from '../deletions/stand-per-test';
import { LONG } from '../long-form.mjs';
import { sleep } from '../servers/process';

/** Settings of an instance that change after a plan was made, or while it runs, count from the next command on. */
const on = standPerTest();
const N = LONG ? 20_000 : 5000;
/** Settings that were read longer ago than so many ms are read again before they are relied on. */
const NOTICED_MS = 300;
afterEach(() => {
  delete process.env.COLONNADE_PROTECT;
});

const plan = (names: string[], options: Record<string, unknown> = {}) =>
  makePlan(LOCAL_ADMIN, makeDeletion(on.stand.instanceId, names, options));
const confirm = (planId: string, consents: Parameters<typeof startDeletion>[1]['consents'] = []) =>
  startDeletion(LOCAL_ADMIN, { planId, confirm: 'stand', consents });
async function mark(flags: Partial<InstanceSettings>): Promise<void> {
  const row = await getInstanceRow(on.stand.instanceId);
  if (row) await updateInstanceRow({ ...row, settings: { ...row.settings, ...flags } });
}
/**
 * Runs a deletion until its first key is a tombstone and not yet empty. `meanwhile` runs while a command is held back
 * that dozens more follow, so the deletion cannot be finished by then, however fast it is.
 */
async function midway(names: string[], meanwhile: (job: string) => Promise<unknown>) {
  const proxy = await startFaultProxy(on.client.options.port ?? 0);
  onTestFinished(() => proxy.stop());
  await mark({ endpoints: [{ host: '127.0.0.1', port: proxy.port }] });
  for (const name of names) await seedLarge(on.client, 'hash', name, N);
  const { id } = await plan(names, { speed: 'gentle' });
  const struck = proxy.strike({ word: 'HDEL', after: 2, act: 'hold' });
  const job = (await confirm(id)).job?.id ?? '';
  const held = await struck;
  await meanwhile(job);
  await sleep(NOTICED_MS);
  held.release();
  return { id, job, proxy };
}
const elements = async () => {
  const names = await on.client.keys('*');
  return (await Promise.all(names.map((name) => on.client.hlen(name)))).reduce((sum, length) => sum + length, 0);
};
const readReason = async (job: string) => (await getStoredJob(job))?.job.reason;

describe('an instance that becomes', () => {
  it('production after its plan asks for that consent when the plan is confirmed', async () => {
    await on.client.set('a', '1');
    const { id, consents } = await plan(['a']);
    expect(consents).toEqual([]);
    await mark({ production: true });
    expect((await getDeletion(LOCAL_ADMIN, id)).missing).toEqual(['production']);
    await expect(confirm(id)).rejects.toMatchObject({ code: 'consent_missing', details: { missing: ['production'] } });
    expect(await on.client.exists('a')).toBe(1);
    const { job } = await confirm(id, ['production']);
    await on.stand.until(job?.id ?? '', ['succeeded']);
  });

  it('production in the middle: the job waits until it is confirmed again', async () => {
    const { id, job } = await midway(['app:1', 'app:2'], () => mark({ production: true }));
    await on.stand.until(job, ['paused']);
    expect(await readReason(job)).toMatchObject({ code: 'consent_missing', params: { consents: 'production' } });
    const left = await elements();
    expect(left).toBeGreaterThan(0);
    // Resuming a job is not a consent.
    await resumeJob(LOCAL_ADMIN, job);
    await on.stand.until(job, ['paused']);
    expect(await elements()).toBe(left);
    expect((await getDeletion(LOCAL_ADMIN, id)).missing).toEqual(['production']);
    await expect(confirm(id)).rejects.toMatchObject({ code: 'consent_missing' });
    await setJobSpeed(LOCAL_ADMIN, job, 'fast');
    await confirm(id, ['production']);
    expect((await getDeletion(LOCAL_ADMIN, id)).missing).toEqual([]);
    await on.stand.until(job, ['succeeded']);
    expect(await on.client.dbsize()).toBe(0);
  }, 300_000);

  it('read-only in the middle stops the removal, and its undo too, until it is not', async () => {
    let whole = '';
    const { id, job, proxy } = await midway(['app:1', 'app:2'], async () => {
      whole = await computeDigest(on.client, 'app:2');
      await mark({ readOnly: true });
    });
    await on.stand.until(job, ['paused']);
    expect(await readReason(job)).toMatchObject({ code: 'read_only' });
    const left = await elements();
    await resumeJob(LOCAL_ADMIN, job);
    await on.stand.until(job, ['paused']);
    expect(await elements()).toBe(left);

    await mark({ readOnly: false });
    const struck = proxy.strike({ word: 'HSET', act: 'hold' });
    const undo = (await undoDeletion(LOCAL_ADMIN, id, { restoreExpired: false })).job?.id ?? '';
    const held = await struck;
    await mark({ readOnly: true });
    await sleep(NOTICED_MS);
    held.release();
    await on.stand.until(undo, ['paused']);
    expect(await readReason(undo)).toMatchObject({ code: 'read_only' });
    await mark({ readOnly: false });
    await setJobSpeed(LOCAL_ADMIN, undo, 'fast');
    await resumeJob(LOCAL_ADMIN, undo);
    await on.stand.until(undo, ['succeeded']);
    expect((await on.client.keys('*')).sort()).toEqual(['app:1', 'app:2']);
    expect(await computeDigest(on.client, 'app:2')).toBe(whole);
  });

  it('nothing at all (it was removed from the list): its jobs wait', async () => {
    const { job } = await midway(['app:1'], () => deleteInstanceRow(on.stand.instanceId));
    await on.stand.until(job, ['paused']);
    expect(await elements()).toBeGreaterThan(N / 2);
    expect(await readReason(job)).toMatchObject({ code: 'instance_removed' });
  });
});

it.each(['unlink', 'drain'])('a quarantine that ends in %s cannot be undone then, and asks for that', async (after) => {
  await on.client.set('a', '1');
  const made = await plan(['a'], { mode: 'quarantine', quarantineHours: 0.01, afterQuarantine: after });
  expect(made.consents).toEqual(['no_undo']);
  expect(made.hazards.map(({ hazard }) => hazard)).toContain('no_copy');
  await expect(confirm(made.id)).rejects.toMatchObject({ code: 'consent_missing' });
  expect((await plan(['a'], { mode: 'quarantine' })).consents).toEqual([]);
});

describe('a pattern that protects names', () => {
  it('may hold spaces and commas', async () => {
    process.env.COLONNADE_PROTECT = 'session:*, "my app:*", "a,b", "say \\"so\\""';
    const names = ['session:1', 'my app:1', 'a,b', 'say "so"', 'my', 'app:1', 'a', 'b'];
    await on.client.mset(names.flatMap((name) => [name, 'x']));
    const made = await plan(names);
    expect(made.excluded).toMatchObject([{ reason: { code: 'protected' }, keys: 4 }]);
    expect(made.totals.keys).toBe(4);
  });

  it('and came after the plan: the plan is made anew', async () => {
    await on.client.mset('session:1', 'x', 'free', 'x');
    const { id } = await plan(['session:1', 'free']);
    process.env.COLONNADE_PROTECT = 'session:*';
    await expect(confirm(id)).rejects.toMatchObject({ code: 'plan_outdated' });
    expect((await getDeletion(LOCAL_ADMIN, id)).plan.totals.keys).toBe(1);
    const { job } = await confirm(id);
    await on.stand.until(job?.id ?? '', ['succeeded']);
    expect(await on.client.keys('*')).toEqual(['session:1']);
  });

  it('and came while the removal was paused: what it protects stays, what was set aside comes back', async () => {
    let before = '';
    const { id, job } = await midway(['session:1', 'session:2', 'free:1'], async (running) => {
      before = await computeDigest(on.client, 'session:2');
      await pauseJob(LOCAL_ADMIN, running);
    });
    await on.stand.until(job, ['paused']);
    const left = (await on.client.hlen((await on.client.keys('colonnade:*'))[0] ?? '')) ?? 0;
    process.env.COLONNADE_PROTECT = 'session:*';
    await setJobSpeed(LOCAL_ADMIN, job, 'fast');
    await resumeJob(LOCAL_ADMIN, job);
    await on.stand.until(job, ['succeeded']);
    const items = await on.stand.items(id);
    expect(items.map(({ state, reason }) => [state, reason?.code])).toEqual([
      ['needs_review', 'protected'],
      ['skipped', 'protected'],
      ['done', undefined],
    ]);
    expect(await on.client.hlen((await on.client.keys('colonnade:*'))[0] ?? '')).toBe(left);
    const undo = await undoDeletion(LOCAL_ADMIN, id, { restoreExpired: false });
    await on.stand.until(undo.job?.id ?? '', ['succeeded']);
    expect((await on.client.keys('*')).sort()).toEqual(['free:1', 'session:1', 'session:2']);
    expect([await on.client.hlen('session:1'), await computeDigest(on.client, 'session:2')]).toEqual([N, before]);
  });
});
