import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { resumeJob } from '../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { LONG } from '../long-form.mjs';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { type LargeType, ROUND_BYTES_EACH, seedLarge } from './seed-large';
import { openStand, type Stand } from './stand';

/**
 * A disk fails in the middle of the work: what it had confirmed still counts, and nothing is appended to a file that
 * may have lost data.
 */
const N: Partial<Record<LargeType, number>> = LONG
  ? { hash: 60_000, set: 60_000, zset: 60_000, list: 200_000, stream: 40_000 }
  : { hash: 1_350, list: 1_350, stream: 1_350 };
const EACH = LONG ? 0 : ROUND_BYTES_EACH;

let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let stand: Stand;
let mend = () => {};

beforeAll(async () => {
  redis = await startRedis({ args: ['--enable-debug-command', 'yes'] });
});
afterAll(() => redis.stop());
beforeEach(async () => {
  data = temporaryData();
  await redis.client().flushall();
  stand = await openStand(redis);
});
afterEach(async () => {
  mend();
  await stand.close();
  await data.remove();
});

/** Recognizes an archive by its first bytes, because other files are synced meanwhile. */
async function isArchive(handle: FileHandle): Promise<boolean> {
  const begins = await handle.read(Buffer.alloc(6), 0, 6, 0).catch(() => null);
  return begins?.buffer.toString('latin1') === 'CLNARC';
}

/**
 * From now on the n-th sync of an archive fails once, like that of a broken disk: the data may or may not have been
 * written.
 */
async function failSync(nth: number, code = 'EIO'): Promise<void> {
  const handle = await open(join(data.dir, 'probe'), 'w');
  const proto = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const real = proto.datasync;
  let left = nth;
  proto.datasync = async function (this: FileHandle) {
    if ((await isArchive(this)) && --left === 0) throw Object.assign(new Error(`${code}: fdatasync`), { code });
    return real.call(this);
  };
  mend = () => {
    proto.datasync = real;
  };
}

it.each(Object.entries(N))('%s: goes on in another file, and comes back from both', async (type, n) => {
  const client = redis.client();
  const digest = async () => ((await client.call('DEBUG', 'DIGEST-VALUE', 'big')) as string[])[0];
  await seedLarge(client, type as LargeType, 'big', n, EACH);
  const before = await digest();
  const id = await stand.plan([{ name: 'big', type, length: n, bytes: 5_000_000 }]);
  // The first sync is that of the file header.
  await failSync(3);
  const job = await stand.start(id);
  const reason = (await stand.until(job, ['paused']))?.job.reason;
  expect(reason).toMatchObject({ code: 'data_folder', params: { cause: 'EIO' } });
  const [held] = await stand.items(id);
  expect(held?.removed).toBeGreaterThan(0);
  expect(held?.removed).toBeLessThan(n);
  await resumeJob(LOCAL_ADMIN, job);
  await stand.until(job, ['succeeded']);
  const [item] = await stand.items(id);
  expect(item?.state).toBe('done');
  expect(item?.journal).toMatchObject({ archives: [expect.any(String), expect.any(String)] });
  expect(item?.archiveBytes).toBeGreaterThan(held?.archiveBytes ?? 0);
  expect(await client.keys('*')).toEqual([]);
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);
  expect((await stand.items(id))[0]).toMatchObject({ state: 'undone', reason: null });
  expect(await digest()).toBe(before);
});

it.each([
  ['EACCES', 'data_folder'],
  ['EROFS', 'data_folder'],
  ['ENOSPC', 'disk_full'],
  ['EDQUOT', 'disk_full'],
])('%s of an archive is %s for whoever resumes', async (code, reason) => {
  const client = redis.client();
  const n = 750;
  await seedLarge(client, 'hash', 'big', n, ROUND_BYTES_EACH);
  const id = await stand.plan([{ name: 'big', type: 'hash', length: n, bytes: 5_000_000 }]);
  await failSync(2, code);
  const job = await stand.start(id);
  const stopped = await stand.until(job, ['paused']);
  expect(stopped?.job.reason).toMatchObject({ code: reason, params: { message: expect.any(String) } });
  if (reason === 'data_folder') expect(stopped?.job.reason?.params.cause).toBe(code);
  await resumeJob(LOCAL_ADMIN, job);
  await stand.until(job, ['succeeded']);
});

it('a file that failed at its first elements is not asked for them', async () => {
  const client = redis.client();
  const n = 750;
  await seedLarge(client, 'hash', 'big', n, ROUND_BYTES_EACH);
  const id = await stand.plan([{ name: 'big', type: 'hash', length: n, bytes: 5_000_000 }]);
  await failSync(2);
  const job = await stand.start(id);
  await stand.until(job, ['paused']);
  const [held] = await stand.items(id);
  expect(held).toMatchObject({ removed: 0, archiveBytes: 0, journal: { archives: [expect.any(String)] } });
  await resumeJob(LOCAL_ADMIN, job);
  await stand.until(job, ['succeeded']);
  const [item] = await stand.items(id);
  expect(item?.journal?.archives).toHaveLength(1);
  expect(item?.journal?.archives).not.toEqual(held?.journal?.archives);
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);
  expect(await client.hlen('big')).toBe(n);
});
