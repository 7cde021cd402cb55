import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStand, type Stand } from '../deletions/stand';
import { type RedisServer, startRedis } from '../servers/redis';
import { temporaryData } from '../temporary-data';

/**
 * Expiries that servers accept and that no JavaScript number holds exactly: an undo sets the nearest one, and reports
 * that it differs.
 */

const LAST = 2 ** 53 - 1;
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let stand: Stand;
beforeEach(async () => {
  data = temporaryData();
  redis = await startRedis();
  stand = await openStand(redis);
});
afterEach(async () => {
  await stand.close();
  await redis.stop();
  await data.remove();
});

it.each(['archive', 'quarantine'] as const)(
  'are back after a deletion in mode %s, the last one that can be kept',
  async (mode) => {
    const client = redis.client({ stringNumbers: true });
    const moments = { far: '9223372036854775807', farther: '9000000000000000000', last: String(LAST) };
    for (const [name, at] of Object.entries(moments)) {
      await client.call('SET', name, 'v', 'PXAT', at);
      await client.call('RPUSH', `list:${name}`, ...Array.from({ length: 600 }, (_, i) => `element-${i}`));
      await client.call('PEXPIREAT', `list:${name}`, at);
    }
    const names = Object.keys(moments);
    const keys = names.flatMap((name) => [
      { name, type: 'string', length: 1, expireAt: LAST },
      { name: `list:${name}`, type: 'list', length: 600, expireAt: LAST },
    ]);
    const id = await stand.plan(keys, { mode });
    await stand.until(await stand.start(id), ['succeeded']);
    expect(Number(await client.dbsize())).toBe(mode === 'archive' ? 0 : keys.length);
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    for (const { name } of keys) expect(String(await client.call('PEXPIRETIME', name))).toBe(String(LAST));
    const items = await stand.items(id);
    expect(items.map(({ state }) => state)).toEqual(keys.map(() => 'undone'));
    expect(items.map(({ reason }) => reason?.code)).toEqual(keys.map(() => 'expiry_capped'));
  },
);
