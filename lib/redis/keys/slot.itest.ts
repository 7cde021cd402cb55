import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import { openChannel } from '@/lib/redis/protocol/channel';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { connectTo } from '@/test/servers/scan-session';
import { computeSlot } from './slot';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis({ args: ['--cluster-enabled', 'yes'] });
});
afterAll(() => server?.stop());

/** Names of any bytes with many braces, the same in every run. */
function* names(count: number): Generator<Buffer> {
  let seed = 42;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let n = 0; n < count; n++) {
    const name = Buffer.alloc(random(n % 50 === 0 ? 600 : 24));
    for (let i = 0; i < name.length; i++) name[i] = random(4) === 0 ? (random(2) ? 0x7b : 0x7d) : random(256);
    yield name;
  }
}

it('agrees with CLUSTER KEYSLOT on 20,000 fuzzed names', async () => {
  const channel = await openChannel(await connectTo(server));
  const all = [...names(20_000)];
  for (let from = 0; from < all.length; from += 1000) {
    const some = all.slice(from, from + 1000);
    const slots = await Promise.all(some.map((name): Promise<Reply> => channel.call(['CLUSTER', 'KEYSLOT', name])));
    expect(slots).toEqual(some.map((name) => computeSlot(name)));
  }
  expect(new Set(all.map((name) => computeSlot(name))).size).toBeGreaterThan(5000);
  channel.close();
});
