import { afterEach, expect, it } from 'vitest';
import { startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';
import { seedLarge } from './seed-large';
import { openStand } from './stand';

const after: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const act of after.splice(0).reverse()) await act();
});

it.each([500, 5_000_000])('a stream whose groups may not be read stays whole (%i bytes)', async (bytes) => {
  const data = temporaryData();
  after.push(() => data.remove());
  const redis = await startRedis({
    args: ['--enable-debug-command', 'yes'],
    acl: ['user keeper on nopass ~* &* +@all'],
  });
  after.push(() => redis.stop());
  const client = redis.client({ username: 'keeper', password: 'any' });
  await seedLarge(client, 'stream', 'app:stream', 20);
  await client.xgroup('CREATE', 'app:stream', 'workers', '0');
  await client.call('XREADGROUP', 'GROUP', 'workers', 'w1', 'COUNT', '5', 'STREAMS', 'app:stream', '>');
  const before = await client.call('XINFO', 'GROUPS', 'app:stream');
  await client.call('ACL', 'SETUSER', 'default', '-xinfo|groups');
  const stand = await openStand(redis);
  after.push(() => stand.close());
  const id = await stand.plan([{ name: 'app:stream', type: 'stream', length: 20, bytes }]);
  await stand.until(await stand.start(id), ['succeeded']);
  expect((await stand.items(id))[0]).toMatchObject({ state: 'needs_review', reason: { code: 'denied' } });
  await client.call('ACL', 'SETUSER', 'default', '+@all');
  await stand.until(await stand.start(id, 'undo'), ['succeeded']);
  expect(await client.xlen('app:stream')).toBe(20);
  expect(await client.call('XINFO', 'GROUPS', 'app:stream')).toEqual(before);
});
