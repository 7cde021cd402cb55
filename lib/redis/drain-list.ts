import type { Drainer, WritingChannel } from './deletion-types';
import { allowed, buffers, count, eachOf, readPage, unlink, within } from './drain-replies';

/**
 * From the tail: LRANGE K −1, then LTRIM 0 K−1. Both name places from the head, which nobody moves. Trimming to nothing
 * is UNLINK's work: `LTRIM 0 -1` keeps everything.
 */
export const listDrainer: Drainer = {
  async read(channel, key, position, wanted, maxBytes) {
    const length = await len(channel, key);
    const at = Math.min(position.at ?? length, length);
    if (at === 0) return { chunk: null, next: { at: 0 }, end: true };
    const from = Math.max(0, at - allowed(channel, key, within(wanted, maxBytes, position.each)));
    const values = buffers(await readPage(channel, key, at - from, ['LRANGE', key, String(from), String(at - 1)]));
    const each = eachOf(values, values.length, position.each, maxBytes);
    return {
      chunk: { type: 'list', start: from, elements: values.length, values },
      next: { at: from, ...(each !== undefined && { each }) },
      end: from === 0,
    };
  },
  async remove(channel, key, chunk) {
    if (chunk.start === 0) await unlink(channel, key);
    else await channel.call(['LTRIM', key, '0', String(chunk.start - 1)]);
    return chunk.elements;
  },
  async shed(channel, key, _position, wanted) {
    const length = await len(channel, key);
    const from = Math.max(0, length - wanted);
    if (from === 0) await unlink(channel, key);
    else await channel.call(['LTRIM', key, '0', String(from - 1)]);
    return { removed: length - from, next: { at: from }, end: from === 0 };
  },
  finish: unlink,
};

const len = async (channel: WritingChannel, key: Buffer) => count(await channel.call(['LLEN', key]));
