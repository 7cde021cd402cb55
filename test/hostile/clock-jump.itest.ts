import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { startDeletion } from '../../lib/deletions/start-deletion';
import { sweepDeletions } from '../../lib/deletions/sweep-deletions';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { closeStore } from '../../lib/store/open-store';
import { readObservedNow } from '../../lib/store/settings/observed-clock';
import { getSetting, setSetting } from '../../lib/store/settings/settings';
import { standPerTest } from '../deletions/stand-per-test';
import { sleep } from '../servers/process';
import { shiftOurClock } from '../shifted-clock';

/** The clock of this machine jumps: that must not shorten the time in which a deletion can be undone. */
const DAY_MS = 86_400_000;
const on = standPerTest();
const archives = () => {
  const folder = join(on.data.dir, 'archives');
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).filter((name) => /\d/.test(String(name))) : [];
};

it.each([
  ['archive', { mode: 'archive', retentionHours: 24 * 7 }],
  ['quarantine', { mode: 'quarantine', quarantineHours: 24 * 7, afterQuarantine: 'unlink' }],
])('8 days ahead: %s of 7 days are kept, and come back', async (_, options) => {
  const { client, stand } = on;
  await client.rpush('big:list', ...Array(5000).keys());
  const id = await stand.plan([{ name: 'big:list', type: 'list', length: 5000, bytes: 100_000 }], options);
  await stand.until(await stand.start(id), ['succeeded']);
  const kept = archives();
  shiftOurClock(8 * DAY_MS);
  await sweepDeletions();
  await stand.start(id, 'purge').then((job) => stand.until(job, ['succeeded']));
  // The same holds for a process that starts while the clock is wrong.
  await closeStore();
  await sweepDeletions();
  await sleep(300);
  expect(archives()).toEqual(kept);
  const { undoable, undoUntil } = await getDeletion(LOCAL_ADMIN, id);
  expect(undoable).toBe(1);
  // The time is given by the clock that the reader has.
  expect(Math.abs((undoUntil ?? 0) - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);
  expect(await client.llen('big:list')).toBe(5000);
});

it('what was observed to its end goes', async () => {
  const { client, stand } = on;
  await client.set('a', 'x');
  const id = await stand.plan([{ name: 'a', type: 'string', length: 1 }], { mode: 'archive', retentionHours: 1 });
  await stand.until(await stand.start(id), ['succeeded']);
  expect(archives()).not.toEqual([]);
  await sweepDeletions((await readObservedNow()) + 3_500_000);
  expect(archives()).not.toEqual([]);
  await sweepDeletions((await readObservedNow()) + 3_700_000);
  expect(archives()).toEqual([]);
});

it('a clock that is set back makes no plan young', async () => {
  const { client, stand } = on;
  await client.set('a', 'x');
  await readObservedNow();
  const back = shiftOurClock(3_600_000);
  const id = await stand.plan([{ name: 'a', type: 'string', length: 1 }]);
  back();
  await client.del('a');
  await expect(startDeletion(LOCAL_ADMIN, { planId: id, confirm: 'stand', consents: [] })).rejects.toMatchObject({
    code: 'nothing_to_do',
  });
});

it('goes on only while somebody looks, and one of two processes counts', async () => {
  const began = await readObservedNow();
  shiftOurClock(8 * DAY_MS);
  await sleep(50);
  const later = await readObservedNow();
  expect(later - began).toBeGreaterThanOrEqual(40);
  expect(later - began).toBeLessThan(60_000);
  // Another process owns the observed time, as after a restart: its last value counts, whatever this clock says.
  await closeStore();
  await setSetting('observed_clock', JSON.stringify({ at: later + 1000, by: 'another' }));
  vi.resetModules();
  const restarted = await import('../../lib/store/settings/observed-clock');
  expect(await restarted.readObservedNow()).toBe(later + 1000);
  await sleep(50);
  expect(await restarted.readObservedNow()).toBe(later + 1000);
  expect(JSON.parse((await getSetting('observed_clock')) ?? '{}')).toMatchObject({ by: 'another' });
});
