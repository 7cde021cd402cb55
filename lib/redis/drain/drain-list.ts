import type { WritingChannel } from '@/lib/redis/write/types';
import { measureFitting, readBoundedPage } from './bounded-page';
import {
  assertShrinks,
  estimateElementBytes,
  REMOVED_AT_ONCE_BYTES,
  readPage,
  toBuffers,
  toCount,
  unlink,
} from './drain-replies';
import type { Drainer, DrainRead } from './drainer';

/**
 * Drains a list from the tail: LRANGE K −1, then LTRIM 0 K−1. Both use positions from the head, which nobody changes.
 * The last part is removed by UNLINK, because `LTRIM 0 -1` would keep everything.
 */
export const listDrainer: Drainer = {
  async read(channel, key, position, wanted, maxBytes) {
    const length = await readLength(channel, key);
    const at = Math.min(position.at ?? length, length);
    if (at === 0) return { chunk: null, next: { at: 0 }, end: true };
    const request = { kind: 'list', key, from: String(at), wanted, maxBytes, each: position.each } as const;
    const bounded = await readBoundedPage(channel, request);
    if ('page' in bounded) {
      const values = toBuffers(bounded.page.values).reverse();
      return toPage(at - values.length, values, bounded.page.large);
    }
    const from = Math.max(0, at - bounded.plainly);
    const values = toBuffers(await readPage(channel, key, at - from, ['LRANGE', key, String(from), String(at - 1)]));
    return toPage(from, values, estimateElementBytes(values, values.length, position.each, maxBytes));
  },
  async remove(channel, key, chunk) {
    if (chunk.start === 0) await unlink(channel, key);
    else await channel.call(['LTRIM', key, '0', String(chunk.start - 1)]);
    return chunk.elements;
  },
  async removeNext(channel, key, position, wanted) {
    const length = await readLength(channel, key);
    if (length === 0) return { removed: 0, next: { at: 0 }, end: true };
    assertShrinks(position, length);
    const { each } = position;
    const request = { kind: 'list', key, from: String(length), wanted, maxBytes: REMOVED_AT_ONCE_BYTES, each } as const;
    const fitting = await measureFitting(channel, request);
    const from = Math.max(0, length - fitting.elements);
    if (from === 0) await unlink(channel, key);
    else await channel.call(['LTRIM', key, '0', String(from - 1)]);
    return { removed: length - from, next: { at: from, each: fitting.each }, end: from === 0 };
  },
  finish: unlink,
};

const toPage = (from: number, values: Buffer[], each: number | undefined): DrainRead => ({
  chunk: values.length === 0 ? null : { type: 'list', start: from, elements: values.length, values },
  next: { at: from, ...(each !== undefined && { each }) },
  end: from === 0,
});

const readLength = async (channel: WritingChannel, key: Buffer) => toCount(await channel.call(['LLEN', key]));
