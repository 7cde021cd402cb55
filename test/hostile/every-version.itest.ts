import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { formatTombstoneName } from '@/lib/redis/keys/internal-key-name';
import { computeSlot } from '@/lib/redis/keys/slot';
import { seedLarge } from '../deletions/seed-large';
import { openStand, type Stand, type StandKey } from '../deletions/stand';
import { readContents } from '../servers/contents';
import { type RedisServer, startRedis } from '../servers/redis';
import { serverVersions } from '../servers/versions';
import { temporaryData } from '../temporary-data';

/**
 * Every version at the worst moments: killed while a key is half empty, keys written between the plan and the run, a
 * key about to expire, an internal name that is already taken.
 */
const ELEMENTS = 3000;
const TYPES = ['hash', 'set', 'zset', 'list'] as const;
const close: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of close.splice(0).reverse()) await end();
});

async function open(binary: string): Promise<{ redis: RedisServer; client: Redis; stand: Stand }> {
  const data = temporaryData();
  const redis = await startRedis({ binary, args: ['--appendonly', 'yes', '--appendfsync', 'always'] });
  const stand = await openStand(redis);
  close.push(
    () => data.remove(),
    () => redis.stop(),
    () => stand.close(),
  );
  return { redis, client: redis.client({ maxRetriesPerRequest: 20 }), stand };
}

const states = async (stand: Stand, id: string) =>
  (await stand.items(id)).map(({ name, state, reason }) => [String(name), state, reason?.code ?? null]);

describe.each(serverVersions(208))('$version', { timeout: 400_000 }, ({ binary }) => {
  it('killed in the middle, it goes on from what the server says, and all comes back', async () => {
    const { redis, client, stand } = await open(binary);
    for (const type of TYPES) await seedLarge(client, type, `large:${type}`, ELEMENTS);
    await client.set('small:string', 'a');
    const before = await readContents(client);
    const id = await stand.plan([
      ...TYPES.map((type) => ({ name: `large:${type}`, type, length: ELEMENTS })),
      { name: 'small:string', type: 'string', length: 1, bytes: 60 },
    ]);
    const job = await stand.start(id);
    const begun = async () => (await stand.items(id)).some(({ removed }) => removed > 0);
    while (!(await begun())) await new Promise((resolve) => setTimeout(resolve, 2));
    await redis.restart();
    await stand.until(job, ['succeeded']);
    expect(new Set((await states(stand, id)).map(([, state]) => state))).toEqual(new Set(['done']));
    expect(await client.keys('*')).toEqual([]);
    await stand.until(await stand.start(id, 'undo'), ['succeeded']);
    expect(await readContents(client)).toEqual(before);
  });

  it('deletes only what the plan saw, and neither what expires nor what others wrote', async () => {
    const { client, stand } = await open(binary);
    for (const name of ['same', 'another', 'grown', 'gone']) await seedLarge(client, 'hash', name, 600);
    await client.setex('soon', 50, 'x');
    await seedLarge(client, 'list', 'taken', 600);
    const hash = (name: string): StandKey => ({ name, type: 'hash', length: 600 });
    const id = await stand.plan(
      [
        ...['same', 'another', 'grown', 'gone'].map(hash),
        { name: 'soon', type: 'string', length: 1, bytes: null },
        { name: 'taken', type: 'list', length: 600 },
      ],
      { onExpiring: 'skip' },
    );
    await client.del('another', 'gone');
    await client.set('another', 'another type');
    await seedLarge(client, 'hash', 'grown', 6000);
    const ours = formatTombstoneName(computeSlot(Buffer.from('taken')), id, 5);
    await client.set(ours, 'of somebody else');
    await stand.until(await stand.start(id), ['succeeded']);
    const is = Object.fromEntries((await states(stand, id)).map(([name, state]) => [name, state]));
    expect(is).toEqual({
      same: 'done',
      another: 'aborted',
      grown: 'aborted',
      gone: 'vanished',
      soon: 'skipped',
      taken: 'needs_review',
    });
    const others = ['another', 'grown', 'soon', 'taken', String(ours)].sort();
    expect((await client.keys('*')).sort()).toEqual(others);
    await stand.until(await stand.start(id, 'undo'), ['succeeded', 'failed']);
    expect((await client.keys('*')).sort()).toEqual([...others, 'same'].sort());
    expect(await client.get(ours)).toBe('of somebody else');
    expect([await client.hlen('same'), await client.llen('taken'), await client.get('another')]).toEqual([
      600,
      600,
      'another type',
    ]);
  });
});
