import type { Redis } from 'ioredis';
import { pour, type SeedCommand } from '../servers/seed';

/**
 * Seeds one key of each type with `n` elements; values differ, names are stable. A round of a deletion ends after
 * 16,000 elements or 4 MiB: with elements of `elementBytes` a few hundred of them make several rounds.
 */
export type LargeType = 'hash' | 'set' | 'zset' | 'list' | 'stream' | 'string';

/** With elements of this size a round ends after some 500 elements. */
export const ROUND_BYTES_EACH = 8_000;

export async function seedLarge(
  client: Redis,
  type: LargeType,
  name: string,
  n: number,
  elementBytes = 0,
): Promise<void> {
  await pour(
    client,
    commands(type, name, n, (text) => text.padEnd(elementBytes, '.')),
  );
}

function* commands(
  type: LargeType,
  name: string,
  n: number,
  element: (text: string) => string,
): Generator<SeedCommand> {
  if (type === 'string') {
    // The bytes vary, so that a piece in the wrong place is noticed.
    const piece = Buffer.from(Array.from({ length: 65_536 }, (_, index) => (index * 7 + (index >> 8)) & 255));
    for (let at = 0; at < n; at += piece.length)
      yield ['SETRANGE', name, String(at), piece.subarray(0, Math.min(piece.length, n - at))];
    return;
  }
  const each = 200;
  for (let from = 0; from < n; from += each) {
    const numbers = Array.from({ length: Math.min(each, n - from) }, (_, index) => from + index);
    if (type === 'hash') yield ['HMSET', name, ...numbers.flatMap((i) => [`field:${i}`, element(`value-${i * 31}`)])];
    else if (type === 'set') yield ['SADD', name, ...numbers.map((i) => element(`member:${i}`))];
    else if (type === 'zset') yield ['ZADD', name, ...numbers.flatMap((i) => [String(i / 3), element(`member:${i}`)])];
    else if (type === 'list') yield ['RPUSH', name, ...numbers.map((i) => element(`item:${i}`))];
    else
      for (const i of numbers)
        yield ['XADD', name, `${1_700_000_000_000 + i}-${i % 3}`, 'n', String(i), 'text', element(`entry ${i}`)];
  }
}
