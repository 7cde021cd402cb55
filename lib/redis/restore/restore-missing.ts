import type { ElementChunk } from '@/lib/model/archive';
import type { Args, WritingChannel } from '@/lib/redis/write/types';

/** Commands or elements sent in one write; each is some microseconds of the server. */
const AT_ONCE = 100;

/** Types whose elements have names: those that are missing can be told from those that are there. */
export type NamedType = 'hash' | 'set' | 'zset';

const WIDTH: Record<NamedType, number> = { hash: 2, set: 1, zset: 2 };
/** Each adds an element only where there is none of its name: what others wrote stays as they wrote it. */
const ADD: Record<NamedType, (key: Buffer, values: Buffer[]) => Args> = {
  hash: (key, values) => ['HSETNX', key, ...values],
  set: (key, values) => ['SADD', key, ...values],
  zset: (key, [member, score]) => ['ZADD', key, 'NX', score ?? '0', member ?? ''],
};

/**
 * Adds to a key that others use what it does not have of a chunk. Returns those elements that were added, or null;
 * doing it twice adds nothing more. Errors: WriteFailure.
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
    const replies = await channel.callAll(elements.slice(from, from + AT_ONCE).map((values) => ADD[type](key, values)));
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
