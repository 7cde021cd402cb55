import { beforeEach, expect, it } from 'vitest';
import { resumeJob } from '../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { standPerTest } from '../deletions/stand-per-test';
import { pour } from '../servers/seed';

/** A cache close to maxmemory that may evict any key: reading and restoring keys must not cause an eviction. */
const on = standPerTest();
const MEBIBYTE = 1024 * 1024;
const LARGE = Buffer.alloc(MEBIBYTE, 'x');
const APP_KEYS = 2000;
const SMALL = 1500;

beforeEach(async () => {
  await on.client.config('SET', 'maxmemory', '0');
  await on.client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  await on.client.config('RESETSTAT');
});

const number = async (section: string, name: string) =>
  Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(await on.client.info(section))?.[1]);
const used = () => number('memory', 'used_memory');
const evicted = () => number('stats', 'evicted_keys');
const limitAt = async (left: number) => on.client.config('SET', 'maxmemory', String((await used()) + left));

async function seedApplication(): Promise<void> {
  await pour(
    on.client,
    Array.from({ length: APP_KEYS }, (_, i) => ['SET', `app:${i}`, 'v'.repeat(100)]),
  );
}

/**
 * Seeds a list with large elements at one end and small ones at the other: a deletion begins at the tail, MEMORY USAGE
 * samples the head.
 */
async function seedMixed(large: number, push: 'LPUSH' | 'RPUSH' = 'LPUSH'): Promise<number> {
  await pour(on.client, [
    ...Array.from({ length: SMALL }, (_, i) => ['RPUSH', 'big', `small:${i}`] as const),
    ...Array.from({ length: large }, () => [push, 'big', LARGE] as const),
  ]);
  return large + SMALL;
}

it('removing and bringing back evicts nothing', async () => {
  await seedApplication();
  const length = await seedMixed(40);
  const bytes = Number(await on.client.call('MEMORY', 'USAGE', 'big', 'SAMPLES', '0'));
  const id = await on.stand.plan([{ name: 'big', type: 'list', length, bytes }]);
  await limitAt(12 * MEBIBYTE);
  await on.stand.until(await on.stand.start(id), ['succeeded']);
  expect((await on.stand.items(id))[0]).toMatchObject({ state: 'done' });
  expect(await evicted()).toBe(0);
  await on.client.config('SET', 'maxmemory', String((await used()) + 80 * MEBIBYTE));
  await on.stand.until(await on.stand.start(id, 'undo'), ['succeeded']);
  expect((await on.stand.items(id))[0]).toMatchObject({ state: 'undone' });
  expect(await on.client.llen('big')).toBe(length);
  expect(await evicted()).toBe(0);
  expect(await on.client.dbsize()).toBe(APP_KEYS + 1);
});

it('what would not fit any more is not brought back, and what was begun takes no memory', async () => {
  await seedApplication();
  const length = await seedMixed(40, 'RPUSH');
  const id = await on.stand.plan([{ name: 'big', type: 'list', length }]);
  await on.stand.until(await on.stand.start(id), ['succeeded']);
  expect(await on.client.exists('big')).toBe(0);
  await limitAt(20 * MEBIBYTE);
  const job = await on.stand.start(id, 'undo');
  expect((await on.stand.until(job, ['paused']))?.job.reason?.code).toBe('no_memory');
  expect(await evicted()).toBe(0);
  expect(await on.client.dbsize()).toBe(APP_KEYS);
  await on.client.config('SET', 'maxmemory', '0');
  await resumeJob(LOCAL_ADMIN, job);
  await on.stand.until(job, ['succeeded']);
  expect(await on.client.llen('big')).toBe(length);
});

it('an element that is more than what is left waits with its reason, and the rest of the server with it', async () => {
  await seedApplication();
  const length = await seedMixed(4);
  const id = await on.stand.plan([{ name: 'big', type: 'list', length, bytes: 5 * MEBIBYTE }]);
  await limitAt(MEBIBYTE / 2);
  const job = await on.stand.start(id);
  const waits = async () => (await on.stand.until(job, ['waiting', 'running']))?.job.reason?.code;
  await expect.poll(waits, { timeout: 60_000 }).toBe('no_headroom');
  expect(await evicted()).toBe(0);
  await on.client.config('SET', 'maxmemory', '0');
  await on.stand.until(job, ['succeeded']);
  expect((await on.stand.items(id))[0]).toMatchObject({ state: 'done' });
  expect(await on.client.dbsize()).toBe(APP_KEYS);
});
