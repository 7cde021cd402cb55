import type { ElementChunk } from '@/lib/model/deletions/archive';
import type { Args, WritingChannel } from '@/lib/redis/write/types';
import { WriteFailure } from '@/lib/redis/write/write-failure';

/** Commands or elements sent in one write; each takes the server some microseconds. */
const AT_ONCE = 100;

/** Types whose elements have names, so that missing elements can be distinguished from existing ones. */
export type NamedType = 'hash' | 'set' | 'zset';

/** How many values of a chunk are one element. */
const WIDTH: Record<NamedType, number> = { hash: 2, set: 1, zset: 2 };
/** Each command adds an element only if none of its name exists: what other clients wrote stays unchanged. */
const ADD: Record<NamedType, (key: Buffer, values: Buffer[]) => Args> = {
  hash: (key, values) => ['HSETNX', key, ...values],
  set: (key, values) => ['SADD', key, ...values],
  zset: (key, [member, score]) => ['ZADD', key, 'NX', score ?? '0', member ?? ''],
};

/** ZADD does not know NX before Redis 3.0.2; this script does the same in one step. */
const ZADD_NX = `if redis.call('ZSCORE', KEYS[1], ARGV[2]) then return 0 end
return redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])`;
/** Connections whose server does not know NX; found out once per connection. */
const withoutNx = new WeakSet<WritingChannel['stats']>();

/** Sends the command that adds an element if it is missing, for each of the elements. */
async function addEach(channel: WritingChannel, key: Buffer, type: NamedType, elements: Buffer[][]) {
  if (type !== 'zset' || !withoutNx.has(channel.stats)) {
    const replies = await channel.callAll(elements.map((values) => ADD[type](key, values)));
    const isUnknown = type === 'zset' && replies.every(isSyntaxError);
    if (!isUnknown) return replies;
    withoutNx.add(channel.stats);
  }
  return channel.callAll(elements.map(([member, score]) => ['EVAL', ZADD_NX, '1', key, score ?? '0', member ?? '']));
}

/** ZADD took `NX` for a score, and nothing was done. */
const isSyntaxError = (reply: unknown) =>
  reply instanceof WriteFailure && reply.kind === 'refused' && reply.code === 'ERR';

/**
 * Adds the elements of a chunk that are missing in a key that other clients use. Returns the elements that were added,
 * or null; repeating it adds nothing more. Errors: WriteFailure.
 */
export async function addMissing(
  channel: WritingChannel,
  key: Buffer,
  type: NamedType,
  chunk: ElementChunk,
): Promise<ElementChunk | null> {
  const width = WIDTH[type];
  const elements = Array.from({ length: chunk.values.length / width }, (_, at) =>
    chunk.values.slice(at * width, (at + 1) * width),
  );
  const added: number[] = [];
  for (let from = 0; from < elements.length; from += AT_ONCE) {
    const replies = await addEach(channel, key, type, elements.slice(from, from + AT_ONCE));
    for (const [index, reply] of replies.entries()) {
      if (reply instanceof Error) throw reply;
      if (reply === 1) added.push(from + index);
    }
  }
  if (added.length === 0) return null;
  const { expiries } = chunk;
  return {
    ...chunk,
    elements: added.length,
    values: added.flatMap((at) => elements[at] ?? []),
    ...(expiries && { expiries: added.map((at) => expiries[at] ?? null) }),
  };
}
