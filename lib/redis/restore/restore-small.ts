import type { ElementChunk, ElementType } from '@/lib/model/deletions/archive';
import { append } from '@/lib/model/text/append';
import type { Args } from '@/lib/redis/write/types';

/** The command that builds a small key under a name that does not exist yet, and the one that counts its elements. */
interface Build {
  build: Args;
  count: Args;
}

const COUNT: Partial<Record<ElementType, string>> = {
  string: 'STRLEN',
  hash: 'HLEN',
  set: 'SCARD',
  zset: 'ZCARD',
  list: 'LLEN',
};
const BUILD: Partial<Record<ElementType, string>> = { hash: 'HSET', set: 'SADD', list: 'RPUSH', zset: 'ZADD' };

/** Returns null if the key needs more than one command (streams, expiries of fields), or a part is missing. */
export function buildAtOnce(type: ElementType, key: Buffer, chunks: readonly ElementChunk[]): Build | null {
  const counting = COUNT[type];
  if (!counting || chunks.some((chunk) => chunk.expiries)) return null;
  const count = [counting, key];
  const values = joinChunks(type, chunks);
  if (type === 'string') return values && { build: ['SET', key, Buffer.concat(values)], count };
  const command = BUILD[type];
  if (!command || !values?.length) return null;
  return { build: [command, key, ...(type === 'zset' ? putScoresFirst(values) : values)], count };
}

/**
 * Joins lists and strings by position; null if there is a gap or overlap. In other types an element may occur twice.
 */
function joinChunks(type: ElementType, chunks: readonly ElementChunk[]): Buffer[] | null {
  if (type !== 'list' && type !== 'string') return chunks.flatMap(({ values }) => values);
  let end = 0;
  const values: Buffer[] = [];
  for (const chunk of [...chunks].sort((a, b) => a.start - b.start)) {
    if (chunk.start !== end) return null;
    end += chunk.elements;
    append(values, chunk.values);
  }
  return values;
}

function putScoresFirst(values: readonly Buffer[]): Buffer[] {
  const turned: Buffer[] = [];
  for (let at = 0; at + 1 < values.length; at += 2) turned.push(values[at + 1] as Buffer, values[at] as Buffer);
  return turned;
}
