import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStand, type Stand } from '../deletions/stand';
import { type RedisServer, startRedis } from '../servers/redis';
import { serverVersions } from '../servers/versions';
import { temporaryData } from '../temporary-data';

/** Fields that have expired and are not yet deleted: the server counts them but does not return them. */

const able = serverVersions(702).filter(({ valkey, number }) => number >= (valkey ? 900 : 704));
let data: ReturnType<typeof temporaryData>;
let redis: RedisServer;
let stand: Stand;
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  await stand.close();
  await redis.stop();
  await data.remove();
});

const kinds = able.flatMap(({ binary, version }) =>
  [
    { kind: 'drained', fields: 3000, bytes: 5_000_000 },
    { kind: 'copied with others', fields: 700, bytes: 50_000 },
    { kind: 'small', fields: 60, bytes: 500 },
  ].map((one) => ({ ...one, binary, version })),
);

it.skipIf(able.length === 0).each(kinds)(
  'are no missing elements: $version, $kind',
  async ({ binary, fields, bytes }) => {
    redis = await startRedis({ binary, args: ['--enable-debug-command', 'local'] });
    stand = await openStand(redis);
    const client = redis.client();
    await client.call('DEBUG', 'SET-ACTIVE-EXPIRE', '0');
    const names = Array.from({ length: fields }, (_, i) => `field-${i}`);
    await client.hset('h', Object.fromEntries(names.map((name) => [name, 'v'.repeat(56)])));
    await client.call('HPEXPIRE', 'h', '1', 'FIELDS', '20', ...names.slice(0, 20));
    await expect.poll(async () => client.hget('h', 'field-0')).toBeNull();
    const id = await stand.plan([{ name: 'h', type: 'hash', length: await client.hlen('h'), bytes }]);
    await stand.until(await stand.start(id), ['succeeded']);
    expect((await stand.items(id))[0]).toMatchObject({ state: 'done', reason: null });
    expect(await client.dbsize()).toBe(0);
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect((await stand.items(id))[0]).toMatchObject({ state: 'undone', reason: null });
    expect((await client.hkeys('h')).sort()).toEqual(names.slice(20).sort());
  },
);
