import type { ElementChunk } from '@/lib/model/deletions/archive';
import type { DrainPosition } from '@/lib/model/deletions/item-journal';
import { exists } from '@/lib/redis/write/exists';
import type { WritingChannel } from '@/lib/redis/write/types';
import { WriteFailure } from '@/lib/redis/write/write-failure';
import { pageByCursor } from './drain-by-cursor';
import { buffers, count, removeAsRead, unlink } from './drain-replies';
import type { Drainer } from './drainer';

/**
 * Fields by HSCAN, removed by name. The cursor is kept from page to page: beginning each chunk at 0 never ends. A page
 * may be empty while the cursor lives. After the last page one more pass looks for what a rehash may have hidden.
 */
export const hashDrainer: Drainer = {
  counts: true,
  async read(channel, key, position, wanted, maxBytes) {
    const page = await pageByCursor(channel, 'HSCAN', { key, position, wanted, maxBytes });
    const chunk = page.values.length === 0 ? null : await hashChunk(channel, key, page.values);
    const next = after(position, page.cursor, page.each);
    return { chunk, next, ...(await ended(channel, key, position, next)) };
  },
  async remove(channel, key, chunk) {
    const fields = chunk.values.filter((_, index) => index % 2 === 0);
    return count(await channel.call(['HDEL', key, ...fields]));
  },
  removeNext(channel, key, position, wanted) {
    return removeAsRead(this, channel, key, position, wanted);
  },
  finish: unlink,
};

export function after(position: DrainPosition, cursor: string, each: number | undefined): DrainPosition {
  const pass = position.pass ?? 0;
  const shared = each === undefined ? {} : { each };
  return cursor === '0' ? { cursor: '0', pass: pass + 1, ...shared } : { cursor, pass, ...shared };
}

/** Two whole passes; the second only where something is left. */
export async function ended(
  channel: WritingChannel,
  key: Buffer,
  before: DrainPosition,
  next: DrainPosition,
): Promise<{ end: boolean; there?: boolean }> {
  const passes = next.pass ?? 0;
  if (passes === (before.pass ?? 0)) return { end: false };
  const there = await exists(channel, key);
  return { end: passes >= 2 || !there, there };
}

/**
 * Fields whose time has passed and that are still there (7.4 and later): HLEN counts them, HSCAN does not show them.
 * `unremoved`: of what is left so many were seen.
 */
export async function countHiddenFields(channel: WritingChannel, key: Buffer, unremoved: number): Promise<number> {
  return Math.max(0, count(await channel.call(['HLEN', key])) - unremoved);
}

/**
 * Expiries of single fields, where the server has them (7.4 and later). A chunk with expiries, also with nothing but
 * nulls, says that fields of this hash go by themselves.
 */
export async function hashChunk(channel: WritingChannel, key: Buffer, values: Buffer[]): Promise<ElementChunk | null> {
  const chunk: ElementChunk = { type: 'hash', start: 0, elements: values.length / 2, values };
  if (withoutFieldExpiry.has(channel.stats)) return chunk;
  const fields = values.filter((_, index) => index % 2 === 0);
  try {
    const times = buffers(await channel.call(['HPEXPIRETIME', key, 'FIELDS', String(fields.length), ...fields]));
    // -2: it has expired since it was read, and must not come back without an end.
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
    // Unknown to the server: there are none. Denied: there may be some, and they must not be lost silently.
    if (!(error instanceof WriteFailure) || error.kind !== 'denied' || error.code === 'NOPERM') throw error;
    withoutFieldExpiry.add(channel.stats);
    return chunk;
  }
}

/**
 * Connections whose server does not know the command: asked once. Behind an address there may be a newer one tomorrow.
 */
const withoutFieldExpiry = new WeakSet<WritingChannel['stats']>();
