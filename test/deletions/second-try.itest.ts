import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { cancelJob } from '../../lib/jobs/cancel-job';
import { pauseJob } from '../../lib/jobs/pause-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { sleep } from '../servers/process';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { type Fault, type FaultProxy, startFaultProxy } from './faults/fault-proxy';
import { untilHeard } from './faults/finish-job';
import { seedLarge } from './seed-large';
import { openStand, type Stand } from './stand';

/** An undo that failed can be requested again: a key that has a copy stays restorable. */
const N = 3_000;
const NAME = 'app:big';

let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let client: Redis;
let proxy: FaultProxy;
let stand: Stand;
let before: string;

beforeAll(async () => {
  redis = await startRedis({
    args: ['--enable-debug-command', 'yes'],
    acl: ['user keeper on nopass ~* &* +@all'],
  });
  client = redis.client({ username: 'keeper', password: 'any', maxRetriesPerRequest: null });
});
afterAll(() => redis.stop());
beforeEach(async () => {
  data = temporaryData();
  await client.flushall();
  await acl('+@all');
  proxy = await startFaultProxy(redis.port);
  stand = await openStand({ ...redis, port: proxy.port } as RedisServer);
  await seedLarge(client, 'hash', NAME, N);
  before = await digest();
});
afterEach(async () => {
  await stand.close();
  await proxy.stop();
  await data.remove();
});

const digest = async () => String(((await client.call('DEBUG', 'DIGEST-VALUE', NAME)) as string[])[0]);
const acl = (...rules: string[]) => client.call('ACL', 'SETUSER', 'default', ...rules);
const plan = (options = {}) => stand.plan([{ name: NAME, type: 'hash', length: N, bytes: 5_000_000 }], options);
const item = async (id: string) => (await stand.items(id))[0];
const run = async (id: string, action: 'run' | 'undo' = 'run', ends: 'succeeded' | 'failed' = 'succeeded') =>
  void (await stand.until(await stand.start(id, action), [ends]));
async function strike(fault: Fault, start: () => Promise<string>) {
  const struck = proxy.strike(fault);
  const job = await start();
  const late = sleep(90_000).then(() => {
    throw new Error(`${fault.word} was not sent`);
  });
  return { job, held: await Promise.race([struck, late]) };
}
async function expectBack(id: string) {
  expect(await item(id)).toMatchObject({ state: 'undone', reason: null });
  expect(await client.keys('*')).toEqual([NAME]);
  expect(await digest()).toBe(before);
}

describe('an undo whose command was denied', () => {
  it.each([
    ['hset', 'denied'],
    ['hlen', 'denied'],
    ['renamenx', 'rename_denied'],
  ])('%s: is done when it is allowed', async (command, code) => {
    const id = await plan();
    await run(id);
    await acl(`-${command}`);
    await run(id, 'undo', 'failed');
    expect(await item(id)).toMatchObject({ state: 'done', reason: { code } });
    await acl('+@all');
    await run(id, 'undo');
    await expectBack(id);
  });
});

describe('a removal whose last command was denied', () => {
  it('comes back from its archive although nothing is set aside any more', async () => {
    await acl('-unlink');
    const id = await plan();
    await run(id);
    expect(await item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'denied' } });
    expect(await client.keys('*')).toEqual([]);
    await acl('+@all');
    const { job } = await undoDeletion(LOCAL_ADMIN, id, { restoreExpired: false });
    await stand.until(job?.id ?? '', ['succeeded']);
    await expectBack(id);
  });

  it('without a copy: half a key does not come back', async () => {
    const id = await plan({ mode: 'drain' });
    const { job, held } = await strike({ word: 'HDEL', after: 3, act: 'hold' }, () => stand.start(id));
    await acl('-hdel');
    held.release();
    await stand.until(job, ['succeeded']);
    expect(await item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'denied' } });
    await acl('+@all');
    await run(id, 'undo', 'failed');
    expect(await client.exists(NAME)).toBe(0);
    expect(await item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'no_copy' } });
  });
});

describe('an undo that meets a key made anew', () => {
  it('is not called undone when the answer to the clearing away is lost', async () => {
    const id = await plan();
    await run(id);
    await client.set(NAME, 'anew');
    const { job } = await strike({ word: 'UNLINK', after: 1, act: 'swallow' }, () => stand.start(id, 'undo'));
    await stand.until(job, ['failed']);
    expect(await item(id)).toMatchObject({ state: 'done', reason: { code: 'recreated' } });
    expect(await client.get(NAME)).toBe('anew');
    await client.del(NAME);
    await run(id, 'undo');
    await expectBack(id);
  });
});

describe('an undo that was cancelled', () => {
  it('in the middle can be asked for again', async () => {
    const id = await plan({ speed: 'gentle' });
    const first = await strike({ word: 'HDEL', after: 3, act: 'hold' }, () => stand.start(id));
    await pauseJob(LOCAL_ADMIN, first.job);
    await untilHeard(first.job);
    first.held.release();
    await stand.until(first.job, ['paused']);
    const second = await strike({ word: 'HSET', after: 2, act: 'hold' }, () => stand.start(id, 'undo'));
    await cancelJob(LOCAL_ADMIN, second.job);
    await untilHeard(second.job);
    second.held.release();
    await stand.until(second.job, ['cancelled']);
    expect(await item(id)).toMatchObject({ state: 'restoring' });
    const { job } = await undoDeletion(LOCAL_ADMIN, id, { restoreExpired: false });
    await stand.until(job?.id ?? '', ['succeeded']);
    await expectBack(id);
  });
});
