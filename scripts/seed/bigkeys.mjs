/** Keys that are too large, one or more of each type. `scale` shrinks them for small demos and tests. */
import { SECONDS } from './chance.mjs';

/** Elements per command. */
const PER_COMMAND = 500;

/**
 * { name, db, command, count: number of elements, add(g, i): arguments of the element i, bytes: length of a string,
 * expire: seconds }, where `g` draws the random values (chance.mjs).
 */
export const BIG_STANDALONE = [
  { name: 'mall:index:sku', command: 'HSET', count: 200_000, add: (g, i) => [`sku:${i}`, g.hex(24)] },
  {
    name: 'tmp:import:batch:77',
    command: 'HSET',
    count: 40_000,
    expire: 45 * SECONDS.MINUTE,
    add: (g, i) => [`row:${i}`, g.words(3)],
  },
  { name: 'rank:global:score', command: 'ZADD', count: 150_000, add: (g, i) => [g.int(1, 1e6), `u${i}`] },
  { name: 'ugc:feed:hot', command: 'ZADD', count: 24_000, add: (g, i) => [g.int(1, 1e6), `video:${i}`] },
  {
    name: 'mq:mail:pending',
    command: 'RPUSH',
    count: 100_000,
    add: (g, i) => [`{"id":${i},"to":"${g.token(8)}@example.com"}`],
  },
  { name: 'stat:uv:all', command: 'SADD', count: 120_000, add: (g, i) => [`${g.hex(8)}${i}`] },
  { name: 'user:blocked', command: 'SADD', count: 30_000, add: (_g, i) => [i * 3] },
  {
    name: 'mq:events:all',
    command: 'XADD',
    count: 50_000,
    add: (g, i) => ['*', 'order', i, 'state', g.pick(['paid', 'shipped'])],
  },
  { name: 'cache:homepage:rendered', command: 'SET', bytes: 5 * 1024 * 1024 },
  { name: 'report:2026:q3:export', command: 'SET', bytes: 12 * 1024 * 1024, expire: 20 * SECONDS.DAY },
  { name: 'bull:mail:wait', db: 2, command: 'RPUSH', count: 25_000, add: (_g, i) => [i] },
];
export const BIG_CLUSTER = [
  { name: '{flash-sale}:buyers', command: 'SADD', count: 60_000, add: (g, i) => [`${g.hex(6)}${i}`] },
  { name: 'feed:global', command: 'ZADD', count: 80_000, add: (g, i) => [g.int(1, 1e9), `post:${i}`] },
  { name: 'im:room:1:members', command: 'HSET', count: 50_000, add: (g, i) => [`u${i}`, g.int(1, 1e6)] },
  { name: 'mq:payments', command: 'RPUSH', count: 40_000, add: (g, i) => [`${i}:${g.hex(20)}`] },
  { name: 'log:audit:all', command: 'XADD', count: 20_000, add: (g, i) => ['*', 'who', `u${i}`, 'what', g.words(2)] },
  { name: 'cache:catalogue', command: 'SET', bytes: 3 * 1024 * 1024 },
];

/** Writes one bigkey in steps that are small enough for other clients of the server not to notice. */
export async function writeBigkey(wire, big, g, scale) {
  const expire = big.expire ? ['EX', big.expire] : [];
  if (big.bytes) {
    wire.push(['SET', big.name, Buffer.alloc(Math.round(big.bytes * scale), g.words(40)), ...expire]);
    return;
  }
  const count = Math.max(1, Math.round(big.count * scale));
  const perCommand = big.command === 'XADD' ? 1 : PER_COMMAND;
  for (let i = 0; i < count; i += perCommand) {
    const args = [big.command, big.name];
    for (let j = i; j < Math.min(count, i + perCommand); j += 1) args.push(...big.add(g, j));
    wire.push(args);
    await wire.room();
  }
  if (big.expire) wire.push(['EXPIRE', big.name, big.expire]);
  // The stream gets a consumer group whose entries are read but never acknowledged.
  if (big.command === 'XADD') {
    wire.push(['XGROUP', 'CREATE', big.name, 'billing', '0']);
    wire.push(['XREADGROUP', 'GROUP', 'billing', 'worker-1', 'COUNT', 500, 'STREAMS', big.name, '>']);
  }
}
