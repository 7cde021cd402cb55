import type { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { getJournal } from '@/lib/deletions/journal/write-journal';
import { verifyArchive } from '../../lib/access/vault/archive-reader';
import { cancelJob } from '../../lib/jobs/cancel-job';
import { pauseJob } from '../../lib/jobs/pause-job';
import { resumeJob } from '../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { computeDigest } from '../deletions/digest';
import { untilHeard } from '../deletions/faults/finish-job';
import { type Fixture, openFixture } from '../deletions/faults/fixture';
import { KINDS, type Kind, type KindName } from '../deletions/faults/kinds';
import { crashAt, finishWithWorker, openWithWorkers } from '../deletions/faults/worker-process';
import { type LargeType, seedLarge } from '../deletions/seed-large';
import { LONG } from '../long-form.mjs';

/**
 * Elements are deleted one by one from the original key: whatever interrupts the work, and whatever others write to the
 * key, the deleted elements can be restored, and what others wrote stays.
 */
const NAMED: KindName[] = ['hash', 'set', 'zset'];
/** Without scripts a few elements are deleted at a time; no compact encoding holds so many. */
const N = LONG ? 4000 : 600;
const planDeletion = ({ plan }: Fixture) => plan({ mode: 'in_place' }, { modeReason: 'scripts_denied' });
const REMOVES: Record<string, string> = { hash: 'HDEL', set: 'SREM', zset: 'ZREM' };

vi.mock('@/lib/redis/write/server-time', async (original) => (await import('./sooner')).soonerDeadlines(original));
vi.mock('@/lib/runtime/backoff-ms', async (original) => (await import('./sooner')).soonerLooks(original));

async function opened(kind: KindName) {
  const { type }: Kind = KINDS[kind];
  const seed = (client: Redis, name: string) => seedLarge(client, type as LargeType, name, N);
  const fixture = await openFixture([[`app:the ${kind}`, { ...KINDS[kind], length: N, seed }]]);
  onTestFinished(() => fixture.close());
  await fixture.client.acl('SETUSER', 'default', '-rename', '-renamenx', '-eval');
  return fixture;
}
type Opened = Awaited<ReturnType<typeof opened>>;

/** Checks the end of the archive: its element count is the number of elements that were to be deleted. */
async function expectEnded(fixture: Fixture, id: string) {
  const item = await fixture.item(id);
  const file = getJournal(item).archives?.at(-1) ?? '';
  const end = (await verifyArchive(file, id, { tornTail: true })).keys.get(item.seq)?.end;
  expect(end).toMatchObject({ elements: item.archived });
  expect(item.archived).toBeGreaterThan(0);
}

async function cancelMidway({ key, stand, strike }: Opened, id: string) {
  const { held, started: job } = await strike({ word: REMOVES[key.kind.type] ?? '', after: 5, act: 'hold' }, () =>
    stand.start(id),
  );
  await cancelJob(LOCAL_ADMIN, job);
  await untilHeard(job);
  held.release();
  await stand.until(job, ['cancelled']);
}

describe('comes back although renaming is still denied', () => {
  it.each(NAMED)('%s: gone as a whole', async (kind) => {
    const fixture = await opened(kind);
    const id = await planDeletion(fixture);
    await fixture.finish(await fixture.stand.start(id));
    await fixture.expectGone(id);
    await fixture.undo(id);
    await fixture.expectBack(id);
  });

  // Cancelling a zset is also tested below, and sets are used by several other tests.
  it.each(LONG ? NAMED : NAMED.slice(0, 1))('%s: cancelled in the middle', async (kind) => {
    const fixture = await opened(kind);
    const id = await planDeletion(fixture);
    await cancelMidway(fixture, id);
    expect(await fixture.item(id)).toMatchObject({ state: 'draining' });
    await expectEnded(fixture, id);
    expect(await computeDigest(fixture.client, fixture.key.name)).not.toBe(fixture.key.digest);
    await fixture.undo(id);
    await fixture.expectBack(id);
  });
});

it('paused in the middle without scripts: goes on, because everything that was sent was answered', async () => {
  const fixture = await opened('set');
  const { stand } = fixture;
  const id = await planDeletion(fixture);
  const { held, started: job } = await fixture.strike({ word: 'SREM', after: 5, act: 'hold' }, () => stand.start(id));
  await pauseJob(LOCAL_ADMIN, job);
  await untilHeard(job);
  held.release();
  await stand.until(job, ['paused']);
  expect(await fixture.item(id)).toMatchObject({
    state: 'draining',
    journal: expect.not.objectContaining({ unguarded: true }),
  });
  await resumeJob(LOCAL_ADMIN, job);
  await fixture.finish(job);
  await fixture.expectGone(id);
});

it('what others wrote meanwhile stays as they wrote it, and all else comes back', async () => {
  const fixture = await opened('hash');
  const { client, key, stand } = fixture;
  const id = await planDeletion(fixture);
  const { held, started: job } = await fixture.strike({ word: 'HDEL', after: 5, act: 'hold' }, () => stand.start(id));
  const before = await client.hgetall(key.name);
  const gone =
    Array.from({ length: key.kind.length }, (_, i) => `field:${i}`).find((field) => !(field in before)) ?? '';
  held.release();
  await fixture.finish(job);
  await client.hset(key.name, { [gone]: 'theirs', added: 'theirs' });
  await client.pexpireat(key.name, fixture.expireAt + 60_000);
  await fixture.undo(id);
  expect(await fixture.item(id)).toMatchObject({ state: 'undone', reason: null });
  expect(await client.hlen(key.name)).toBe(key.kind.length + 1);
  expect(await client.hmget(key.name, gone, 'added')).toEqual(['theirs', 'theirs']);
  expect(await client.pexpiretime(key.name)).toBe(fixture.expireAt + 60_000);
  // The key then looks as if only others had written to it.
  await client.hset(key.name, gone, `value-${Number(gone.slice('field:'.length)) * 31}`);
  await client.hdel(key.name, 'added');
  await client.pexpireat(key.name, fixture.expireAt);
  expect(await computeDigest(client, key.name)).toBe(key.digest);
});

it('killed when its last element was gone and the archive had no end: comes back', async () => {
  const fixture = await openWithWorkers(['listpack']);
  const { client, key, stand } = fixture;
  const id = await fixture.plan({ mode: 'in_place' });
  const job = await stand.start(id);
  await crashAt(fixture, { word: 'HDEL', act: 'swallow' });
  await expect.poll(() => client.exists(key.name)).toBe(0);
  await finishWithWorker(fixture, job);
  await fixture.expectGone(id);
  await expectEnded(fixture, id);
  const undo = await stand.start(id, 'undo');
  await crashAt(fixture, { word: 'EVAL', act: 'swallow' });
  await finishWithWorker(fixture, undo);
  await fixture.expectBack(id);
});

it('removed by another hand in the middle: not called removed, and its part is not called undone', async () => {
  const fixture = await opened('set');
  const { client, key, stand } = fixture;
  const id = await planDeletion(fixture);
  const { held, started: job } = await fixture.strike({ word: 'SREM', after: 5, act: 'hold' }, () => stand.start(id));
  await client.unlink(key.name);
  held.release();
  await fixture.finish(job);
  const item = await fixture.item(id);
  expect(item).toMatchObject({ state: 'needs_review', reason: { code: 'copy_short' } });
  expect(item.archived).toBeLessThan(key.kind.length);
  await fixture.undoRefused(id);
  expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'count_short' } });
  // All elements that the deletion took are restored.
  expect(await client.scard(key.name)).toBe(item.archived);
});

it('another key in its place: it stays, and what was taken out comes back when the name is free', async () => {
  const fixture = await opened('zset');
  const { client, key, stand } = fixture;
  const id = await planDeletion(fixture);
  await cancelMidway(fixture, id);
  await client.del(key.name);
  await client.set(key.name, 'theirs');
  await fixture.undoRefused(id);
  expect(await fixture.item(id)).toMatchObject({ state: 'draining', reason: { code: 'recreated' } });
  expect(await client.get(key.name)).toBe('theirs');
  await client.del(key.name);
  await fixture.undoRefused(id);
  expect(await fixture.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'count_short' } });
  expect(await client.zcard(key.name)).toBeGreaterThan(0);
  expect(await stand.items(id)).toHaveLength(1);
});
