import type { Redis } from 'ioredis';
import type { Stand } from '../../test/deletions/stand';
import { pour, type SeedCommand } from '../../test/servers/seed';

/** Deletes keys whose large elements come after small ones, on a cache near its memory limit that may evict any key. */
export interface MixedSizes {
  worstCommandServerMs: number;
  outputBufferMiB: number;
  evicted: number;
}

const MEBIBYTE = 1024 * 1024;
const LARGE = Buffer.alloc(MEBIBYTE, 'x');
const SMALL = 20_000;
const APP_KEYS = 50_000;
const ROOM_BYTES = 64 * MEBIBYTE;
/** A deletion reads a list from its tail, so its large elements are at the head. */
const CASES: { type: string; large: number; add: (i: number, value: Buffer) => SeedCommand }[] = [
  { type: 'list', large: 600, add: (_, value) => ['RPUSH', 'mixed', value] },
  { type: 'hash', large: 200, add: (i, value) => ['HSET', 'mixed', `f${i}`, value] },
  {
    type: 'zset',
    large: 200,
    add: (i, value) => ['ZADD', 'mixed', String(i), Buffer.concat([Buffer.from(`${i}:`), value])],
  },
  { type: 'stream', large: 200, add: (i, value) => ['XADD', 'mixed', `${i + 1}-0`, 'f', value] },
];

export async function measureMixedSizes(
  client: Redis,
  stand: Stand,
  worst: () => Promise<number>,
): Promise<MixedSizes> {
  const row: MixedSizes = { worstCommandServerMs: 0, outputBufferMiB: 0, evicted: 0 };
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  for (const { type, large, add } of CASES) {
    await client.flushall();
    await pour(
      client,
      Array.from({ length: APP_KEYS }, (_, i) => ['SET', `app:${i}`, 'v'.repeat(100)]),
    );
    const length = large + SMALL;
    await pour(client, elements(length, large, add));
    const id = await stand.plan([{ name: 'mixed', type, length }]);
    await client.config('SET', 'maxmemory', String((await number(client, 'memory', 'used_memory')) + ROOM_BYTES));
    await client.config('RESETSTAT');
    await client.call('SLOWLOG', 'RESET');
    const buffers = watchBuffers(client);
    await stand.until(await stand.start(id), ['succeeded'], 300_000);
    row.outputBufferMiB = Math.max(row.outputBufferMiB, buffers.stop() / MEBIBYTE);
    row.worstCommandServerMs = Math.max(row.worstCommandServerMs, await worst());
    row.evicted += await number(client, 'stats', 'evicted_keys');
    await client.config('SET', 'maxmemory', '0');
  }
  await client.flushall();
  return row;
}

function* elements(
  length: number,
  large: number,
  add: (i: number, value: Buffer) => SeedCommand,
): Generator<SeedCommand> {
  for (let i = 0; i < length; i++) yield add(i, i < large ? LARGE : Buffer.from(`small:${i}`));
}

/** Watches the greatest number of bytes that waited to be sent to one of our connections. */
function watchBuffers(client: Redis): { stop(): number } {
  let max = 0;
  let stopped = false;
  const look = async () => {
    while (!stopped) {
      const list = String(await client.call('CLIENT', 'LIST'));
      for (const [, name, bytes] of list.matchAll(/ name=(\S*) .* omem=(\d+)/g))
        if (name?.startsWith('colonnade')) max = Math.max(max, Number(bytes));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  void look();
  return {
    stop() {
      stopped = true;
      return max;
    },
  };
}

async function number(client: Redis, section: string, name: string): Promise<number> {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(await client.info(section))?.[1]);
}
