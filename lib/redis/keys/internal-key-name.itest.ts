import { afterAll, beforeAll, expect, it } from 'vitest';
import { openChannel } from '@/lib/redis/protocol/channel';
import type { RespChannel } from '@/lib/redis/protocol/resp-channel';
import { type RedisCluster, startCluster } from '@/test/servers/cluster';
import { connectTo } from '@/test/servers/scan-session';
import { formatRestoreName, formatTombstoneName, getSlotTag, parseInternalKeyName } from './internal-key-name';
import { computeSlot } from './slot';

let cluster: RedisCluster;
let channels: RespChannel[];
beforeAll(async () => {
  cluster = await startCluster({ masters: 3 });
  channels = await Promise.all(cluster.masters.map(async (node) => openChannel(await connectTo(node))));
});
afterAll(async () => {
  for (const channel of channels ?? []) channel.close();
  await cluster?.stop();
});

const keySlots = (names: (string | Buffer)[]) =>
  Promise.all(names.map((name) => channels[0]!.call(['CLUSTER', 'KEYSLOT', name])));

/** Names, as bytes, that could break escaping, decoding, tags and patterns. */
const HOSTILE = [
  ...Array.from({ length: 256 }, (_, byte) => Buffer.from([byte])),
  ...['', ' \t\r\n\0', '{}', '{', '}', '}{', '{a}{b}', '{{a}}', 'foo{}{bar}', 'foo{{bar}}zap', '{}x{a}', '{\0}'],
  ...['*', '?', '[a]', '\\', '['.repeat(5000), ':', '::', ':a', 'a:', 'a:'.repeat(100_000), '__proto__'],
  ...[
    '\u202e\u2066\u200b',
    'e\u0301'.repeat(500),
    '\ufeffbom',
    '👩‍👩‍👧',
    '\x1b[2J',
    "=cmd|'/c calc'!A1",
    '\u0024{7*7}',
  ],
  ...['<img src=x onerror=alert(1)>', '../../etc/passwd', "' OR 1=1--", '%00', '1'.repeat(40), '\n{"level":"info"}'],
  ...['colonnade:trash:{', 'colonnade:trash:{a}:x:1', 'colonnade:trash:{a}:x:1}', `${'x'.repeat(1 << 20)}{tag}`],
  ...[
    [0xff, 0xfe],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf0, 0x9f],
    [0xef, 0xbf, 0xbd, 0xff],
  ].map(Buffer.from),
].map((name) => (Buffer.isBuffer(name) ? name : Buffer.from(name)));

/** Names of any bytes with many braces, the same in every run. */
function fuzzed(count: number): Buffer[] {
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  return Array.from({ length: count }, (_, n) => {
    const name = Buffer.alloc(random(n % 50 === 0 ? 600 : 24));
    for (let i = 0; i < name.length; i++) name[i] = random(4) === 0 ? 0x7b + 2 * random(2) : random(256);
    return name;
  });
}

it('the tag of each of 16,384 slots lies in that slot by the word of the server', async () => {
  for (let from = 0; from < 16_384; from += 2048) {
    const slots = Array.from({ length: 2048 }, (_, i) => from + i);
    expect(await keySlots(slots.map((slot) => `x{${getSlotTag(slot)}}y`))).toEqual(slots);
  }
  expect(new Set(Array.from({ length: 16_384 }, (_, slot) => getSlotTag(slot))).size).toBe(16_384);
  expect(() => getSlotTag(16_384)).toThrow(RangeError);
});

it('both names of ours lie in the slot of the key, for 20,000 names of any bytes', async () => {
  const names = [...HOSTILE, ...fuzzed(20_000)];
  for (let from = 0; from < names.length; from += 1000) {
    const some = names.slice(from, from + 1000);
    const theirs = await keySlots(some);
    const ours = some.map((name, i) => formatTombstoneName(computeSlot(name), 'abcdef0123456789', from + i));
    const back = some.map((name, i) => formatRestoreName(computeSlot(name), 'abcdef0123456789', from + i));
    expect(await keySlots(ours)).toEqual(theirs);
    expect(await keySlots(back)).toEqual(theirs);
    expect(ours.map((name) => parseInternalKeyName(name)?.seq)).toEqual(some.map((_, i) => from + i));
  }
});

it('a cluster renames a key of any name to its name of ours, and back', async () => {
  const names = [...HOSTILE, ...fuzzed(500)];
  for (const [seq, name] of names.entries()) {
    const slot = computeSlot(name);
    const channel = channels[cluster.ranges.findIndex(([from, to]) => slot >= from && slot <= to)]!;
    const ours = formatTombstoneName(slot, 'abc', seq);
    await channel.call(['SET', name, String(seq)]);
    expect([seq, await channel.call(['RENAMENX', name, ours])]).toEqual([seq, 1]);
    expect([seq, await channel.call(['RENAMENX', ours, name])]).toEqual([seq, 1]);
    expect(String(await channel.call(['GET', name]))).toBe(String(seq));
    await channel.call(['DEL', name]);
  }
});
