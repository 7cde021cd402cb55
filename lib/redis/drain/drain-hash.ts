import type { ElementChunk } from '@/lib/model/deletions/archive';
import type { WritingChannel } from '@/lib/redis/write/types';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { createCursorDrainer } from './drain-by-cursor';
import { toBuffers, toCount } from './drain-replies';

/**
 * Counts fields that have expired but still exist (7.4 and later): HLEN counts them, HSCAN does not return them.
 * `unremoved` is how many of the remaining fields were seen.
 */
export async function countHiddenFields(channel: WritingChannel, key: Buffer, unremoved: number): Promise<number> {
  return Math.max(0, toCount(await channel.call(['HLEN', key])) - unremoved);
}

/**
 * Builds a chunk with the expiries of single fields, if the server supports them (7.4 and later). A chunk with
 * `expiries`, even if all are null, means that fields of this hash expire on their own. null = all fields have expired.
 */
export async function buildHashChunk(
  channel: WritingChannel,
  key: Buffer,
  values: Buffer[],
): Promise<ElementChunk | null> {
  const chunk: ElementChunk = { type: 'hash', start: 0, elements: values.length / 2, values };
  if (withoutFieldExpiry.has(channel.stats)) return chunk;
  const fields = values.filter((_, index) => index % 2 === 0);
  try {
    const times = toBuffers(await channel.call(['HPEXPIRETIME', key, 'FIELDS', String(fields.length), ...fields]));
    // -2: the field has expired since it was read, and must not be restored without an expiry.
    const left = times.flatMap((time, at) => (Number(time) === -2 ? [] : [at]));
    const expiries = left.map((at) => (Number(times[at]) >= 0 ? Number(times[at]) : null));
    if (left.length === 0) return null;
    if (left.length < fields.length) {
      chunk.elements = left.length;
      chunk.values = left.flatMap((at) => values.slice(at * 2, at * 2 + 2));
    }
    const mayExpire = left.length < fields.length || expiries.some((time) => time !== null);
    return mayExpire ? { ...chunk, expiries } : chunk;
  } catch (error) {
    // If the server does not know the command, no field has an expiry. If it is denied, some may, and they must not be
    // lost silently.
    if (!(error instanceof WriteFailure) || error.kind !== 'denied' || error.code === 'NOPERM') throw error;
    withoutFieldExpiry.add(channel.stats);
    return chunk;
  }
}

/**
 * Connections whose server does not know the command; found out once per connection, because the server at an address
 * may be upgraded.
 */
const withoutFieldExpiry = new WeakSet<WritingChannel['stats']>();

export const hashDrainer = createCursorDrainer('HSCAN', buildHashChunk);
