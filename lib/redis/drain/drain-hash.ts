import type { ElementChunk } from '@/lib/model/deletions/archive';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import { hasKey } from '@/lib/redis/write/has-key';
import type { WritingChannel } from '@/lib/redis/write/types';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { readPageByCursor } from './drain-by-cursor';
import { removeAsRead, toBuffers, toCount, unlink } from './drain-replies';
import type { Drainer } from './drainer';

/**
 * Reads fields with HSCAN and removes them by name. The cursor is kept from page to page: starting each chunk at 0
 * would never end. A page may be empty although the cursor has not ended. After the last page, one more pass looks for
 * fields that a rehash may have hidden.
 */
export const hashDrainer: Drainer = {
  counts: true,
  async read(channel, key, position, wanted, maxBytes) {
    const page = await readPageByCursor(channel, 'HSCAN', { key, position, wanted, maxBytes });
    const chunk = page.values.length === 0 ? null : await buildHashChunk(channel, key, page.values);
    const next = advancePosition(position, page.cursor, page.each);
    return { chunk, next, ...(await checkWalkEnd(channel, key, position, next)) };
  },
  async remove(channel, key, chunk) {
    const fields = chunk.values.filter((_, index) => index % 2 === 0);
    return toCount(await channel.call(['HDEL', key, ...fields]));
  },
  removeNext(channel, key, position, wanted) {
    return removeAsRead(this, channel, key, position, wanted);
  },
  finish: unlink,
};

export function advancePosition(position: DrainPosition, cursor: string, each: number | undefined): DrainPosition {
  const pass = position.pass ?? 0;
  const shared = each === undefined ? {} : { each };
  return cursor === '0' ? { cursor: '0', pass: pass + 1, ...shared } : { cursor, pass, ...shared };
}

/** A walk ends after two whole passes, or after one if the key no longer exists. */
export async function checkWalkEnd(
  channel: WritingChannel,
  key: Buffer,
  before: DrainPosition,
  next: DrainPosition,
): Promise<{ end: boolean; there?: boolean }> {
  const passes = next.pass ?? 0;
  if (passes === (before.pass ?? 0)) return { end: false };
  const there = await hasKey(channel, key);
  return { end: passes >= 2 || !there, there };
}

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
    const expire = left.length < fields.length || expiries.some((time) => time !== null);
    return expire ? { ...chunk, expiries } : chunk;
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
