import { beforeEach, describe, expect, it } from 'vitest';
import { sweepDeletions } from '../../lib/deletions/sweep-deletions';
import { pauseJob } from '../../lib/jobs/pause-job';
import { resumeJob } from '../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { expireUndo } from '../../lib/store/deletions/deletion-due';
import { updateItem } from '../../lib/store/deletions/deletion-items';
import { getStoredDeletion, updateDeletion } from '../../lib/store/deletions/deletions';
import { findStoredJobs } from '../../lib/store/jobs';
import { sleep } from '../servers/process';
import { untilHeard } from './faults/finish-job';
import { standWithProxy } from './stand-per-test';

/** A paused job stays paused: no timer starts another one for the same deletion. */
const NAMES = ['app:0', 'app:1', 'app:2'];
const on = standWithProxy({ args: ['--enable-debug-command', 'yes'] });
beforeEach(async () => {
  for (const name of NAMES) await on.client.hset(name, { a: name, b: 2 });
});

const plan = (options: Record<string, unknown>) =>
  on.stand.plan(
    NAMES.map((name) => ({ name, type: 'hash', length: 2, bytes: 5_000_000 })),
    options,
  );
async function quarantined(afterQuarantine: string): Promise<string> {
  const id = await plan({ mode: 'quarantine', quarantineHours: 1, afterQuarantine });
  await on.stand.until(await on.stand.start(id), ['succeeded']);
  await updateDeletion(id, { state: 'done' });
  return id;
}
async function timeIsOver(id: string) {
  const past = Date.now() - 1000;
  for (const { seq, state, journal } of await on.stand.items(id))
    if (state === 'quarantined')
      await updateItem(id, seq, { undoUntil: past, journal: { ...(journal as object), purgeAt: past } });
}
/** Pauses a job in the middle, while a command is held back. */
async function pausedAt(word: string, after: number, start: () => Promise<string>): Promise<string> {
  const struck = on.proxy.strike({ word, after, act: 'hold' });
  const job = await start();
  const held = await struck;
  await pauseJob(LOCAL_ADMIN, job);
  await untilHeard(job);
  held.release();
  await on.stand.until(job, ['paused']);
  return job;
}

describe('a quarantine that is over', () => {
  it('is not purged while an undo of it is paused', async () => {
    const id = await quarantined('unlink');
    const undo = await pausedAt('EVAL', 0, () => on.stand.start(id, 'undo'));
    expect((await on.stand.items(id)).map(({ state }) => state)).toContain('quarantined');
    await timeIsOver(id);
    await sweepDeletions();
    await sleep(300);
    expect((await getStoredDeletion(id))?.jobId).toBe(undo);
    await resumeJob(LOCAL_ADMIN, undo);
    await on.stand.until(undo, ['succeeded']);
    expect((await on.stand.items(id)).map(({ state }) => state)).toEqual(['undone', 'undone', 'undone']);
    expect((await on.client.keys('*')).sort()).toEqual(NAMES);
  });

  it('stands still when its purge is paused', async () => {
    const id = await quarantined('unlink');
    await timeIsOver(id);
    const purge = await pausedAt('UNLINK', 0, async () => {
      await sweepDeletions();
      return (await getStoredDeletion(id))?.jobId ?? '';
    });
    const left = await on.client.dbsize();
    expect(left).toBeGreaterThan(0);
    await sweepDeletions();
    await sleep(300);
    expect(await on.client.dbsize()).toBe(left);
    expect((await getStoredDeletion(id))?.jobId).toBe(purge);
  });

  it('is not purged again and again for what its removal left behind', async () => {
    const id = await quarantined('unlink');
    // The tombstone was left by a deletion that was cancelled before its retention was set.
    const [first] = await on.stand.items(id);
    await updateItem(id, 0, {
      state: 'tombstoned',
      undoUntil: null,
      journal: { ...(first?.journal as object), purgeAt: undefined },
    });
    await timeIsOver(id);
    for (let i = 0; i < 3; i++) {
      await sweepDeletions();
      await on.stand.until((await getStoredDeletion(id))?.jobId ?? '', ['succeeded']);
    }
    const purges = (await findStoredJobs({ kind: 'deletion' })).filter(
      ({ params }) => (params as { action: string }).action === 'purge',
    );
    expect(purges).toHaveLength(1);
  });
});

describe('the end of the time to undo', () => {
  it('waits for an undo that was asked for before', async () => {
    const id = await plan({ retentionHours: 1 });
    await on.stand.until(await on.stand.start(id), ['succeeded']);
    await updateDeletion(id, { state: 'done' });
    const later = Date.now() + 2 * 3_600_000;
    // The undo was requested in time; then the server is unavailable for longer than the remaining time.
    await on.proxy.stop();
    const undo = await on.stand.start(id, 'undo');
    await updateDeletion(id, { state: 'done' });
    await on.stand.until(undo, ['waiting']);
    expect(await expireUndo(later)).toEqual([]);
    await pauseJob(LOCAL_ADMIN, undo);
    await on.stand.until(undo, ['paused']);
    expect(await expireUndo(later)).toEqual([]);
  });
});
