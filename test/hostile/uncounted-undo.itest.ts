import { afterEach, expect, it } from 'vitest';
import { digestOfAll, WITH_DIGEST } from '../deletions/digest';
import { seedLarge } from '../deletions/seed-large';
import { openStand } from '../deletions/stand';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';

/** A key whose elements could not be counted can be restored too: its deleted elements are in its archive. */
let redis: RedisServer;
let data: ReturnType<typeof temporaryData>;
afterEach(async () => {
  await redis.stop();
  await data.remove();
});

it('a sorted set whose length is denied waits for a person, and comes back once it may be counted', async () => {
  redis = await startRedis({ args: WITH_DIGEST });
  data = temporaryData();
  const client = redis.client();
  await seedLarge(client, 'zset', 'large:zset', 600);
  await seedLarge(client, 'hash', 'large:hash', 600);
  const before = await digestOfAll(client);
  const stand = await openStand(redis);
  await client.call('ACL', 'SETUSER', 'default', '-zcard');
  const id = await stand.plan(
    (['zset', 'hash'] as const).map((type) => ({ name: `large:${type}`, type, length: 600 })),
  );
  await stand.until(await stand.start(id), ['succeeded', 'failed']);
  expect((await stand.items(id)).map(({ state }) => state)).toEqual(['needs_review', 'done']);
  await client.call('ACL', 'SETUSER', 'default', '+zcard');
  await stand.until(await stand.start(id, 'undo'), ['succeeded', 'failed']);
  expect((await stand.items(id)).map(({ state, reason }) => [state, reason?.code])).toEqual([
    ['undone', undefined],
    ['undone', undefined],
  ]);
  expect(await digestOfAll(client)).toBe(before);
  await stand.close();
});
