import type { ElementChunk, ElementType } from '@/lib/model/deletions/archive';
import { COMPACT_ENCODINGS } from '@/lib/model/keys/free-cost';
import type { Reply } from '@/lib/redis/protocol/any-reply';
import type { Args, WritingChannel } from '@/lib/redis/write/types';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { assertMemoryRoom } from './bounded-page';
import { readInParts } from './compact-parts';
import { buildHashChunk } from './drain-hash';
import { readPage, sumBytes, toBuffers, unlink } from './drain-replies';
import type { Drainer } from './drainer';

/**
 * Reads the whole key in one bounded read: removing 1,000 fields from a listpack of 50k took 417 ms, the whole key 0.12
 * ms.
 */
const READ: Partial<Record<ElementType, (key: Buffer) => readonly [string, Buffer, ...string[]]>> = {
  hash: (key) => ['HGETALL', key],
  set: (key) => ['SMEMBERS', key],
  zset: (key) => ['ZRANGE', key, '0', '-1', 'WITHSCORES'],
  list: (key) => ['LRANGE', key, '0', '-1'],
};
/** How many values of the reply are one element, if more than one. */
const PER_ELEMENT: Partial<Record<ElementType, number>> = { hash: 2, zset: 2 };

/** A compact key is one allocation: removing from its middle costs more than freeing the whole. */
export const isCompact = (encoding: string | null): boolean =>
  encoding !== null && COMPACT_ENCODINGS.includes(encoding);

/** The script returns keys up to this size. It copies each value, so larger keys are read by a plain command. */
const AT_ONCE_BYTES = 16 * 1024;
/** A server may be configured to any compact size: larger keys are read in parts if the type has positions or names. */
const WHOLE_BYTES = 2 * 1024 * 1024;

/**
 * Returns encoding and memory, and the values of a small key. A key that was compact when it was planned may be a table
 * of large values by now. For one allocation MEMORY USAGE is exact.
 */
const SCRIPT = `local e, b = redis.pcall('OBJECT', 'ENCODING', KEYS[1]), redis.pcall('MEMORY', 'USAGE', KEYS[1])
if type(e) ~= 'string' then e = '' end
if type(b) ~= 'number' then b = -1 end
if b >= 0 and b <= tonumber(ARGV[1]) and string.find(ARGV[2], ' ' .. e .. ' ', 1, true) then
  return {b, e, redis.call(ARGV[3], KEYS[1], unpack(ARGV, 4))}
end
return {b, e}`;

interface MeasuredKey {
  /** MEMORY USAGE; null = not known. */
  bytes: number | null;
  encoding: string | null;
  /** The whole key; null = it is larger than AT_ONCE_BYTES or no longer compact. */
  values: Buffer[] | null;
}

/**
 * Drains compact keys: the whole key is read at once if it is small enough, and `finish` removes it at once, so nothing
 * is removed before.
 */
export function createSmallDrainer(type: ElementType): Drainer {
  const read = READ[type];
  if (!read) throw new Error(`A ${type} has no small encoding of this kind.`);
  return {
    async read(channel, key, position, wanted, maxBytes) {
      const { bytes, encoding, values: small } = await measureKey(channel, key, read(key));
      if (small === null && bytes !== null) {
        const compact = encoding === null || isCompact(encoding);
        // Fields that expire on their own (listpackex) would shift the positions of the others.
        const mayReadParts = encoding !== 'listpackex' && (bytes > WHOLE_BYTES || !compact);
        const part = mayReadParts
          ? await readInParts(channel, { type, key, compact }, position, wanted, maxBytes)
          : null;
        // Nothing is removed in between, so one pass has seen all elements.
        if (part) return { ...part, end: part.end || (part.next.pass ?? 0) > 0 };
        assertMemoryRoom(channel, bytes);
      }
      const values = small ?? toBuffers(await readPage(channel, key, 1, read(key)));
      const elements = values.length / (PER_ELEMENT[type] ?? 1);
      return {
        chunk: await buildCompactChunk(channel, key, type, values),
        next: { each: elements === 0 ? 0 : sumBytes(values) / elements },
        end: true,
        there: elements > 0,
      };
    },
    async remove() {
      return 0;
    },
    async removeNext() {
      return { removed: 0, next: {}, end: true };
    },
    finish: unlink,
  };
}

/** Builds the chunk of a compact key; for a hash with the expiries of its fields. */
export async function buildCompactChunk(
  channel: WritingChannel,
  key: Buffer,
  type: ElementType,
  values: Buffer[],
): Promise<ElementChunk | null> {
  if (values.length === 0) return null;
  const elements = values.length / (PER_ELEMENT[type] ?? 1);
  return type === 'hash' ? buildHashChunk(channel, key, values) : { type, start: 0, elements, values };
}

/** Connections whose server denies scripts that read; found out once per connection. */
const withoutScripts = new WeakSet<WritingChannel['stats']>();

const buildScriptArgs = (key: Buffer, read: Args): Args => {
  const args = [String(AT_ONCE_BYTES), ` ${COMPACT_ENCODINGS.join(' ')} `, read[0] as string, ...read.slice(2)];
  return ['EVAL', SCRIPT, '1', key, ...args];
};

/** The command that returns all of a compact key up to 16 KiB; null if the type has none. */
export function buildCompactArgs(type: ElementType, key: Buffer): Args | null {
  const read = READ[type];
  return read ? buildScriptArgs(key, read(key)) : null;
}

/** Parses the reply to `buildCompactArgs`. */
export function parseCompact(reply: Reply | undefined): MeasuredKey {
  const [bytes, encoding, values] = Array.isArray(reply) ? reply : [];
  return { ...toMeasured(bytes, encoding), values: values === undefined ? null : toBuffers(values) };
}

/** Without the right to scripts, the values are not read. */
async function measureKey(channel: WritingChannel, key: Buffer, read: Args): Promise<MeasuredKey> {
  if (!withoutScripts.has(channel.stats))
    try {
      return parseCompact(await channel.call(buildScriptArgs(key, read)));
    } catch (error) {
      if (!(error instanceof WriteFailure) || error.kind !== 'denied') throw error;
      withoutScripts.add(channel.stats);
    }
  const [bytes, encoding] = await channel.callAll([
    ['MEMORY', 'USAGE', key],
    ['OBJECT', 'ENCODING', key],
  ]);
  return { ...toMeasured(bytes, encoding), values: null };
}

const toMeasured = (bytes: Reply | Error | undefined, encoding: Reply | Error | undefined) => ({
  bytes: typeof bytes === 'number' && bytes >= 0 ? bytes : null,
  encoding: Buffer.isBuffer(encoding) && encoding.length > 0 ? encoding.toString('latin1') : null,
});
