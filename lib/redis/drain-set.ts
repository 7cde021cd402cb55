import type { Drainer } from './deletion-types';
import { after, ended } from './drain-hash';
import { allowed, count, eachOf, readPage, scanPage, unlink, within } from './drain-replies';

/** Members by SSCAN, removed by name; as hashes. */
export const setDrainer: Drainer = {
  counts: true,
  async read(channel, key, position, wanted, maxBytes) {
    const n = allowed(channel, key, within(wanted, maxBytes, position.each));
    const args = ['SSCAN', key, position.cursor ?? '0', 'COUNT', String(n)];
    const { cursor, values } = scanPage(await readPage(channel, key, n, args));
    const next = after(position, cursor, eachOf(values, values.length, position.each, maxBytes));
    const chunk = values.length === 0 ? null : { type: 'set' as const, start: 0, elements: values.length, values };
    return { chunk, next, ...(await ended(channel, key, position, next)) };
  },
  async remove(channel, key, chunk) {
    return count(await channel.call(['SREM', key, ...chunk.values]));
  },
  async shed(channel, key, position, wanted) {
    const read = await this.read(channel, key, position, wanted, 1024 * 1024);
    const removed = read.chunk ? await this.remove(channel, key, read.chunk) : 0;
    return { removed, next: read.next, end: read.end };
  },
  finish: unlink,
};
