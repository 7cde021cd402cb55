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
 * Drains from the highest rank downwards: on a key that nobody writes, ranks are stable, and removing by rank costs a
 * tenth of removing by name. A chunk is removed by the rank at which it began, so repeating it removes nothing more.
 */
export const zsetDrainer: Drainer = {
  counts: true,
  async read(channel, key, position, wanted, maxBytes) {
    const length = await readCardinality(channel, key);
    // A removal of the previous round may have been carried out although its answer was lost.
    const at = Math.min(position.at ?? length, length);
    if (at === 0) return { chunk: null, next: { at: 0 }, end: true };
    const request = { kind: 'zset', key, from: String(at), wanted, maxBytes, each: position.each } as const;
    const bounded = await readBoundedPage(channel, request);
    if ('page' in bounded) {
      const values = reversePairs(toBuffers(bounded.page.values));
      return toPage(at - values.length / 2, values, bounded.page.large);
    }
    const from = Math.max(0, at - bounded.plainly);
    const args = ['ZRANGE', key, String(from), String(at - 1), 'WITHSCORES'];
    const values = toBuffers(await readPage(channel, key, at - from, args));
    return toPage(from, values, estimateElementBytes(values, values.length / 2, position.each, maxBytes));
  },
  async remove(channel, key, chunk) {
    // The chunk has the ranks from `start` upwards, also when higher ones are gone: removing a rank does not move those
    // below it.
    const from = String(chunk.start);
    const to = String(chunk.start + chunk.elements - 1);
    return toCount(await channel.call(['ZREMRANGEBYRANK', key, from, to]));
  },
  async removeNext(channel, key, position, wanted) {
    const length = await readCardinality(channel, key);
    if (length === 0) return { removed: 0, next: { at: 0 }, end: true };
    assertShrinks(position, length);
    const { each } = position;
    const request = { kind: 'zset', key, from: String(length), wanted, maxBytes: REMOVED_AT_ONCE_BYTES, each } as const;
    const fitting = await measureFitting(channel, request);
    const from = Math.max(0, length - fitting.elements);
    const removed = toCount(await channel.call(['ZREMRANGEBYRANK', key, String(from), String(length - 1)]));
    return { removed, next: { at: from, each: fitting.each }, end: from === 0 };
  },
  finish: unlink,
};

/** Puts values that were read from the highest rank downwards into the order of ZRANGE. */
function reversePairs(values: Buffer[]): Buffer[] {
  const turned: Buffer[] = [];
  for (let at = values.length - 2; at >= 0; at -= 2) turned.push(values[at] as Buffer, values[at + 1] as Buffer);
  return turned;
}

const toPage = (from: number, values: Buffer[], each: number | undefined): DrainRead => ({
  chunk: values.length === 0 ? null : { type: 'zset', start: from, elements: values.length / 2, values },
  next: { at: from, ...(each !== undefined && { each }) },
  end: from === 0,
});

const readCardinality = async (channel: WritingChannel, key: Buffer) => toCount(await channel.call(['ZCARD', key]));
