import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { openStand, type Stand } from './stand';

/** An archive that is damaged or missing affects only its own keys: the others are restored. */
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let client: Redis;
let stand: Stand;

beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis();
  client = redis.client();
  stand = await openStand(redis);
});
afterEach(async () => {
  await stand.close();
  await redis.stop();
  await data.remove();
});

it('one damaged archive of three', async () => {
  const names = ['app:0', 'app:1', 'app:2'];
  for (const name of names) await client.hset(name, { a: name });
  const id = await stand.plan(names.map((name) => ({ name, type: 'hash', length: 1, bytes: 5_000_000 })));
  await stand.until(await stand.start(id), ['succeeded']);
  const [first] = await stand.items(id);
  const [file = ''] = (first?.journal as { archives: string[] } | undefined)?.archives ?? [];
  writeFileSync(join(data.dir, 'archives', file), 'not an archive any more, and long enough to be looked at');
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);
  expect((await stand.items(id)).map(({ state, reason }) => [state, reason?.code])).toEqual([
    ['done', 'archive_incomplete'],
    ['undone', undefined],
    ['undone', undefined],
  ]);
  expect((await client.keys('*')).sort()).toEqual(['app:1', 'app:2']);
});
