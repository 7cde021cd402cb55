import type { Drainer } from './deletion-types';
import { after, ended } from './drain-hash';
import { count, eachOf, scanPage, unlink, within } from './drain-replies';

/** Members by SSCAN, removed by name; as hashes. */
export const setDrainer: Drainer = {
  async read(channel, key, position, wanted, maxBytes) {
    const n = within(wanted, maxBytes, position.each);
    const { cursor, values } = scanPage(await channel.call(['SSCAN', key, position.cursor ?? '0', 'COUNT', String(n)]));
    const next = after(position, cursor, eachOf(values, values.length, position.each));
    const chunk = values.length === 0 ? null : { type: 'set' as const, start: 0, elements: values.length, values };
    return { chunk, next, end: await ended(channel, key, position, next) };
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
