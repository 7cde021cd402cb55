import type { ElementChunk, ElementType } from '@/lib/model/deletions/archive';
import { append } from '@/lib/model/text/append';
import { LENGTH_COMMANDS } from '@/lib/redis/keys/length-commands';
import type { Args } from '@/lib/redis/write/types';

/** The command that builds a small key under a name that does not exist yet, and the one that counts its elements. */
interface Build {
  build: Args;
  count: Args;
}

const COMMANDS: Partial<Record<ElementType, string>> = {
  string: 'SET',
  hash: 'HSET',
  set: 'SADD',
  list: 'RPUSH',
  zset: 'ZADD',
};

/** Returns null if the key needs more than one command (streams, expiries of fields), or a part is missing. */
export function buildAtOnce(type: ElementType, key: Buffer, chunks: readonly ElementChunk[]): Build | null {
  const command = COMMANDS[type];
  if (!command || chunks.some((chunk) => chunk.expiries)) return null;
  const count = [LENGTH_COMMANDS[type], key];
  const values = joinChunks(type, chunks);
  if (type === 'string') return values && { build: [command, key, Buffer.concat(values)], count };
  if (!values?.length) return null;
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

/** ZADD takes each score before its member; archives and replies have them in the other order. */
export function putScoresFirst(values: readonly Buffer[]): Buffer[] {
  const swapped: Buffer[] = [];
  for (let at = 0; at + 1 < values.length; at += 2) swapped.push(values[at + 1] as Buffer, values[at] as Buffer);
  return swapped;
}
