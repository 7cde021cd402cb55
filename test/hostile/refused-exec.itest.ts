import { afterEach, expect, it } from 'vitest';
import { digestOfAll, WITH_DIGEST } from '../deletions/digest';
import { seedLarge } from '../deletions/seed-large';
import { openStand } from '../deletions/stand';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';

/** A user that may begin a transaction but not end it gets "queued" for every later command. */
let redis: RedisServer;
let data: ReturnType<typeof temporaryData>;
afterEach(async () => {
  await redis.stop();
  await data.remove();
});

it('where EXEC is missing, the transaction is left and keys go the plain way, there and back', async () => {
  redis = await startRedis({ renamed: { EVAL: '', EXEC: '' }, args: WITH_DIGEST });
  data = temporaryData();
  const client = redis.client();
  for (const type of ['hash', 'set', 'list'] as const) await seedLarge(client, type, `large:${type}`, 600);
  await client.mset({ 'small:1': 'a', 'small:2': 'b' });
  const before = await digestOfAll(client);
  const stand = await openStand(redis);
  const id = await stand.plan([
    ...(['hash', 'set', 'list'] as const).map((type) => ({ name: `large:${type}`, type, length: 600 })),
    ...['small:1', 'small:2'].map((name) => ({ name, type: 'string', length: 1, bytes: 60 })),
  ]);
  await stand.until(await stand.start(id), ['succeeded']);
  expect((await stand.items(id)).map(({ state, reason }) => [state, reason?.code])).toEqual(
    Array.from({ length: 5 }, () => ['done', undefined]),
  );
  expect(await client.dbsize()).toBe(0);
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);
  expect(await digestOfAll(client)).toBe(before);
  await stand.close();
});
