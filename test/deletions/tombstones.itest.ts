import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { formatTombstoneName } from '@/lib/redis/keys/internal-key-name';
import { computeSlot } from '@/lib/redis/keys/slot';
import { listArchives } from '../../lib/access/vault/archive-folder';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { sweepDeletions } from '../../lib/deletions/sweep-deletions';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { cancelJob } from '../../lib/jobs/cancel-job';
import { pauseJob } from '../../lib/jobs/pause-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { expireUndo } from '../../lib/store/deletions/deletion-due';
import { updateItem } from '../../lib/store/deletions/deletion-items';
import { getStoredDeletion, updateDeletion } from '../../lib/store/deletions/deletions';
import { LONG } from '../long-form.mjs';
import { sleep } from '../servers/process';
import { startReplica } from '../servers/replica';
import { untilHeard } from './faults/finish-job';
import { holdMidway } from './faults/hold-midway';
import { ROUND_BYTES_EACH, seedLarge } from './seed-large';
import { standWithProxy } from './stand-per-test';

/** A key with an internal name is compared with what was approved before it is deleted, whatever created it. */
const N = 750;
const NAME = 'app:big';

const on = standWithProxy({ args: ['--enable-debug-command', 'yes'] });
beforeEach(async () => {
  await on.client.config('RESETSTAT');
});

const readDigest = async (name: string) => ((await on.client.call('DEBUG', 'DIGEST-VALUE', name)) as string[])[0];
const tombstone = (id: string, seq: number, name: string) =>
  formatTombstoneName(computeSlot(Buffer.from(name)), id, seq);
const big = (expireAt: number | null = null) => ({ name: NAME, type: 'hash', length: N, bytes: 5_000_000, expireAt });
/** The journal contains this if the connection was cut after the rename was sent. */
const INTENT = { intent: true, address: '', runId: null };

describe('a rename whose answer was never heard', () => {
  it('of the approved key is taken up; the key comes back with the expiry that the plan saw', async () => {
    await seedLarge(on.client, 'hash', NAME, N, ROUND_BYTES_EACH);
    const expireAt = Date.now() + 3_600_000;
    await on.client.pexpireat(NAME, expireAt);
    const before = await readDigest(NAME);
    const id = await on.stand.plan([big(expireAt)]);
    await on.client.rename(NAME, tombstone(id, 0, NAME));
    await on.client.persist(tombstone(id, 0, NAME));
    await on.stand.until(await on.stand.start(id), ['succeeded']);
    expect((await on.stand.items(id))[0]).toMatchObject({ state: 'done', archived: N });
    expect(await on.client.keys('*')).toEqual([]);
    await on.stand.until(await on.stand.start(id, 'undo'), ['succeeded']);
    expect(await readDigest(NAME)).toBe(before);
    expect(await on.client.pexpiretime(NAME)).toBe(expireAt);
  });

  it.each([
    ['and of which nothing was noted', null],
    ['and which was on its way when we were cut off', INTENT],
  ])('of a key that is not the approved one, %s, is shown to a person and removed by nobody', async (_, journal) => {
    const id = await on.stand.plan([big()]);
    await updateItem(id, 0, { journal });
    // The tombstone is a key of another length; under the original name is one that looks like the approved key.
    await on.client.hset(tombstone(id, 0, NAME), { other: 'key' });
    await seedLarge(on.client, 'hash', NAME, N, ROUND_BYTES_EACH);
    await on.stand.until(await on.stand.start(id), ['succeeded']);
    expect((await on.stand.items(id))[0]).toMatchObject({ state: 'needs_review', reason: { code: 'changed_length' } });
    expect(await on.client.hlen(NAME)).toBe(N);
    expect(await on.client.hgetall(tombstone(id, 0, NAME))).toEqual({ other: 'key' });
  });

  it('is told by its expiry too when we were cut off before that was taken off', async () => {
    await seedLarge(on.client, 'hash', NAME, N, ROUND_BYTES_EACH);
    const id = await on.stand.plan([big()], { mode: 'quarantine' });
    const expireAt = Date.now() + 3_600_000;
    await updateItem(id, 0, { journal: { ...INTENT, expireAt: null } });
    await on.client.rename(NAME, tombstone(id, 0, NAME));
    await on.client.pexpireat(tombstone(id, 0, NAME), expireAt);
    await on.stand.until(await on.stand.start(id), ['succeeded']);
    expect(await on.client.ttl(tombstone(id, 0, NAME))).toBe(-1);
    await on.stand.until(await on.stand.start(id, 'undo'), ['succeeded']);
    expect(await on.client.pexpiretime(NAME)).toBe(expireAt);
  });

  it('among small keys: the others go, this one is shown', async () => {
    const names = ['s:0', 's:1', 's:2'];
    for (const name of names) await on.client.hset(name, { a: 1, b: 2 });
    const id = await on.stand.plan(names.map((name) => ({ name, type: 'hash', length: 2, bytes: 100 })));
    await on.client.sadd(tombstone(id, 1, 's:1'), 'x');
    await on.stand.until(await on.stand.start(id), ['succeeded']);
    expect((await on.stand.items(id)).map(({ state }) => state)).toEqual(['done', 'needs_review', 'done']);
    expect((await on.client.keys('*')).sort()).toEqual([tombstone(id, 1, 's:1').toString(), 's:1'].sort());
  });

  it('and whose removal is cancelled: undo finds it', async () => {
    await seedLarge(on.client, 'hash', NAME, N, ROUND_BYTES_EACH);
    const before = await readDigest(NAME);
    const id = await on.stand.plan([big(), { name: 'gone', type: 'hash', length: 5, bytes: 100 }]);
    await updateItem(id, 0, { journal: INTENT });
    await on.client.rename(NAME, tombstone(id, 0, NAME));
    const job = await on.stand.start(id);
    await pauseJob(LOCAL_ADMIN, job).catch(() => {});
    await cancelJob(LOCAL_ADMIN, job);
    await on.stand.until(job, ['cancelled']);
    expect((await getDeletion(LOCAL_ADMIN, id)).undoable).toBeGreaterThan(0);
    const { job: undo } = await undoDeletion(LOCAL_ADMIN, id, { restoreExpired: false });
    await on.stand.until(undo?.id ?? '', ['succeeded']);
    expect((await on.stand.items(id))[0]).toMatchObject({ state: 'undone' });
    expect(await readDigest(NAME)).toBe(before);
    expect(await on.client.keys('*')).toEqual([NAME]);
  });
});

describe('a quarantine that is over', () => {
  const expired = async (id: string, patch = {}) => {
    const [item] = await on.stand.items(id);
    const past = Date.now() - 1000;
    await updateItem(id, 0, { undoUntil: past, journal: { ...(item?.journal as object), purgeAt: past }, ...patch });
  };
  const swept = async (id: string) => {
    await sweepDeletions();
    return (await getStoredDeletion(id))?.jobId ?? '';
  };

  it.each([
    ['is purged by itself, with an archive', {}],
    [
      'is purged too when we were cut off at the first step',
      { state: 'tombstoned' as const, mode: 'archive' as const },
    ],
  ])('%s', async (_, left) => {
    await seedLarge(on.client, 'hash', NAME, N, ROUND_BYTES_EACH);
    const before = await readDigest(NAME);
    const id = await on.stand.plan([big()], { mode: 'quarantine', quarantineHours: 1, afterQuarantine: 'archive' });
    const first = await on.stand.start(id);
    await on.stand.until(first, ['succeeded']);
    expect((await on.stand.items(id))[0]).toMatchObject({ state: 'quarantined' });
    expect(await swept(id)).toBe(first);
    await expired(id, left);
    if ('state' in left) await updateDeletion(id, { action: 'purge' });
    const purge = await swept(id);
    expect(purge).not.toBe(first);
    await on.stand.until(purge, ['succeeded']);
    expect((await on.stand.items(id))[0]).toMatchObject({ state: 'done', archived: N });
    expect(await on.client.keys('*')).toEqual([]);
    await on.stand.until(await on.stand.start(id, 'undo'), ['succeeded']);
    expect(await readDigest(NAME)).toBe(before);
  });
});

describe('small keys on a server with a replica', () => {
  it('are not removed before the replica has followed', async () => {
    const replica = await startReplica(on.redis);
    onTestFinished(() => replica.stop());
    for (let i = 0; i < 100; i++) await on.client.hset(`s:${i}`, { a: i });
    const keys = Array.from({ length: 100 }, (_, i) => ({ name: `s:${i}`, type: 'hash', length: 1, bytes: 100 }));
    const id = await on.stand.plan(keys);
    await replica.kill('SIGSTOP');
    const job = await on.stand.start(id);
    await sleep(3_000);
    expect((await on.stand.items(id)).filter(({ state }) => state === 'done')).toEqual([]);
    expect(await on.client.dbsize()).toBe(100);
    await replica.kill('SIGCONT');
    await on.stand.until(job, ['succeeded']);
    expect(await on.client.dbsize()).toBe(0);
    // There is one batch, with a WAIT before its first deletion and one before its end.
    expect(await on.client.info('commandstats')).toMatch(/cmdstat_wait:calls=2,/);
    expect(new Set((await on.stand.items(id)).map(({ state }) => state))).toEqual(new Set(['done']));
    await on.stand.until(await on.stand.start(id, 'undo'), ['succeeded']);
    expect(await on.client.dbsize()).toBe(100);
  });
});

it('an archive of what came back, or was cancelled, goes when its time is over', async () => {
  const archives = (id: string) => listArchives(id).then((files) => files.length);
  await seedLarge(on.client, 'hash', NAME, N, ROUND_BYTES_EACH);
  const back = await on.stand.plan([big()], { retentionHours: 2 });
  await on.stand.until(await on.stand.start(back), ['succeeded']);
  await on.stand.until(await on.stand.start(back, 'undo'), ['succeeded']);
  const long = 'app:long';
  await seedLarge(on.client, 'hash', long, 2 * N, ROUND_BYTES_EACH);
  const half = { name: long, type: 'hash', length: 2 * N, bytes: 20_000_000 };
  const cut = await on.stand.plan([half], { retentionHours: 2 });
  const item = async () => (await on.stand.items(cut))[0]!;
  const { held, started: job } = await holdMidway({ proxy: on.proxy, word: 'HDEL', item }, () => on.stand.start(cut));
  await cancelJob(LOCAL_ADMIN, job);
  await untilHeard(job);
  held.release();
  await on.stand.until(job, ['cancelled']);
  const undo = await on.stand.start(cut, 'undo');
  await on.stand.until(undo, ['succeeded']);
  await sweepDeletions(Date.now() + 3_600_000);
  expect([await archives(back), await archives(cut)]).toEqual([1, 1]);
  await sweepDeletions(Date.now() + 2.1 * 3_600_000);
  expect([await archives(back), await archives(cut)]).toEqual([0, 0]);
});

it('an archive whose time was over when the process was killed goes with the next look', async () => {
  await seedLarge(on.client, 'hash', NAME, N, ROUND_BYTES_EACH);
  const id = await on.stand.plan([big()], { retentionHours: 2 });
  await on.stand.until(await on.stand.start(id), ['succeeded']);
  // The process was killed after the change was written to the store.
  expect(await expireUndo(Date.now() + 2.1 * 3_600_000)).toEqual([id]);
  expect(await listArchives(id)).toHaveLength(1);
  await sweepDeletions();
  expect([await listArchives(id), await on.stand.items(id)]).toEqual([[], []]);
});

describe('small keys that come back together', () => {
  /** Number of keys of each type: three batches in all. LONG=1: fifteen. */
  const EACH = LONG ? 120 : 20;
  it('each as it was; what was made anew, has expired or may not come is told by itself', async () => {
    const later = Date.now() + 3_600_000;
    for (let i = 0; i < EACH; i++) {
      await on.client.hset(`s:hash:${i}`, { a: i, b: Buffer.from([0, 255, 13, 10]) });
      await on.client.zadd(`s:zset:${i}`, 1.5, 'x', -0.1, 'y');
      await on.client.sadd(`s:set:${i}`, 1, 2, 'three');
      await on.client.rpush(`s:list:${i}`, 'b', 'a', '');
      await on.client.set(`s:string:${i}`, i === 7 ? '' : Buffer.from([i, 0, 128]), 'PXAT', later);
      await on.client.xadd(`s:stream:${i}`, '*', 'f', 'v');
    }
    const names = (await on.client.keys('s:*')).sort();
    const digests = new Map<string, string | undefined>();
    for (const name of names) digests.set(name, await readDigest(name));
    const bytes = new Map<string, number>();
    for (const name of names) bytes.set(name, Number(await on.client.call('MEMORY', 'USAGE', name)));
    const id = await on.stand.plan(
      names.map((name) => ({ name, type: name.split(':')[1] ?? '', bytes: bytes.get(name) ?? null, length: null })),
    );
    // The expiry is late enough for the key to be deleted before, with all the others.
    const soon = Date.now() + 5_000;
    await on.client.pexpireat('s:string:3', soon);
    await on.stand.until(await on.stand.start(id), ['succeeded']);
    expect(await on.client.dbsize()).toBe(0);
    await on.client.set('s:hash:5', 'made anew');
    await sleep(Math.max(0, soon - Date.now()) + 50);
    await on.client.config('RESETSTAT');
    await on.stand.until(await on.stand.start(id, 'undo'), ['succeeded']);
    for (const item of await on.stand.items(id)) {
      const name = item.name.toString();
      if (name === 's:hash:5') expect(item).toMatchObject({ state: 'done', reason: { code: 'recreated' } });
      else if (name === 's:string:3')
        expect(item).toMatchObject({ state: 'done', reason: { code: 'expired_meanwhile' } });
      else {
        expect(item).toMatchObject({ state: 'undone', reason: null, undoUntil: null });
        expect(await readDigest(name)).toBe(digests.get(name));
      }
    }
    expect(await on.client.get('s:hash:5')).toBe('made anew');
    expect(await on.client.pexpiretime('s:string:4')).toBe(later);
    expect(await on.client.keys('colonnade:*')).toEqual([]);
    // Keys are restored in batches: INFO is called twice per batch, and twice for each key that is restored alone.
    const [, infos] = /cmdstat_info:calls=(\d+)/.exec(await on.client.info('commandstats')) ?? [];
    expect(Number(infos)).toBeLessThan(names.length / 2);
  });
});
