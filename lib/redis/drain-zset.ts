import type { Drainer, WritingChannel } from './deletion-types';
import { allowed, buffers, count, eachOf, readPage, unlink, within } from './drain-replies';

/**
 * From the highest rank downwards: on a key that nobody writes, ranks are stable, and removing by rank costs a tenth of
 * removing by name. What was read is removed by the rank it began at, so doing it twice removes nothing more.
 */
export const zsetDrainer: Drainer = {
  counts: true,
  async read(channel, key, position, wanted, maxBytes) {
    const length = await card(channel, key);
    // A removal of the round before may have happened although its answer was lost.
    const at = Math.min(position.at ?? length, length);
    const from = Math.max(0, at - allowed(channel, key, within(wanted, maxBytes, position.each)));
    if (at === 0) return { chunk: null, next: { at: 0 }, end: true };
    const args = ['ZRANGE', key, String(from), String(at - 1), 'WITHSCORES'];
    const values = buffers(await readPage(channel, key, at - from, args));
    const each = eachOf(values, values.length / 2, position.each, maxBytes);
    return {
      chunk: { type: 'zset', start: from, elements: values.length / 2, values },
      next: { at: from, ...(each !== undefined && { each }) },
      end: from === 0,
    };
  },
  async remove(channel, key, chunk) {
    // Ranks from `start` upwards are what was read, and what was read above it is gone or goes with it.
    const from = String(chunk.start);
    const to = String(chunk.start + chunk.elements - 1);
    return count(await channel.call(['ZREMRANGEBYRANK', key, from, to]));
  },
  async shed(channel, key, _position, wanted) {
    const length = await card(channel, key);
    const from = Math.max(0, length - wanted);
    if (length === 0) return { removed: 0, next: { at: 0 }, end: true };
    const removed = count(await channel.call(['ZREMRANGEBYRANK', key, String(from), String(length - 1)]));
    return { removed, next: { at: from }, end: from === 0 };
  },
  finish: unlink,
};

const card = async (channel: WritingChannel, key: Buffer) => count(await channel.call(['ZCARD', key]));
