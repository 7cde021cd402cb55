import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leftovers } from '../../../lib/deletions/leftovers';
import { LOCAL_ADMIN } from '../../../lib/model/actor';
import { type RedisServer, startRedis } from '../../servers/redis';
import { temporaryData } from '../../temporary-data';
import { openStand, type Stand } from '../stand';

/** Many small keys go in one write: what the server refuses for one of them must not leave another half way. */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let keeper: Redis;
let stand: Stand;
const names = Array.from({ length: 30 }, (_, i) => (i === 17 ? 'other:17' : `app:${i}`));

beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis({ args: ['--enable-debug-command', 'yes'], acl: ['user keeper on nopass ~* &* +@all'] });
  keeper = redis.client({ username: 'keeper', password: 'any' });
  for (const [i, name] of names.entries()) await keeper.set(name, `value ${i}`, 'PX', 7_200_000 + i);
  stand = await openStand(redis);
});
afterEach(async () => {
  await stand.close();
  await redis.stop();
  await data.remove();
});

const digest = () => keeper.call('DEBUG', 'DIGEST');
const plan = () => stand.plan(names.map((name) => ({ name, type: 'string', bytes: 60 })));
const statesOf = async (id: string) => {
  const states: Record<string, number> = {};
  for (const { state } of await stand.items(id)) states[state] = (states[state] ?? 0) + 1;
  return states;
};

describe('one key among many', () => {
  it('that may not be written stays; the others go, and come back', async () => {
    const before = await digest();
    await keeper.call('ACL', 'SETUSER', 'default', 'resetkeys', '%R~*', '~app:*', '~colonnade:*');
    const id = await plan();
    await stand.until(await stand.start(id), ['succeeded']);
    expect(await statesOf(id)).toEqual({ done: 29, failed: 1 });
    expect((await stand.items(id))[17]).toMatchObject({ state: 'failed', reason: { code: 'denied' } });
    expect(await keeper.keys('*')).toEqual(['other:17']);
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect(await statesOf(id)).toEqual({ undone: 29, failed: 1 });
    expect(await digest()).toBe(before);
  });
});

describe('where the last step is refused', () => {
  it.each([
    ['UNLINK', ['-unlink']],
    // Without script and transaction the rename is made before what follows it is refused.
    ['PERSIST after the rename', ['-eval', '-multi', '-persist']],
  ])('%s: nothing is called done that is still there', async (_, rules) => {
    const before = await digest();
    await keeper.call('ACL', 'SETUSER', 'default', ...rules);
    const id = await plan();
    await stand.until(await stand.start(id), ['succeeded']);
    expect(await statesOf(id)).toEqual({ needs_review: 30 });
    await keeper.call('ACL', 'SETUSER', 'default', '+@all');
    const ours = await leftovers(LOCAL_ADMIN, stand.instanceId);
    expect(ours.map(({ owned }) => owned)).toEqual(names.map(() => true));
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect(await statesOf(id)).toEqual({ undone: 30 });
    expect(await digest()).toBe(before);
  });
});
