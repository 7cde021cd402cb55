import type { Drainer } from './deletion-types';
import { after, ended } from './drain-hash';
import { allowed, count, eachOf, readPage, scanPage, unlink, within } from './drain-replies';

/**
 * A sorted set that others still write, as hashes and sets are drained: its ranks move, its members do not. Members and
 * scores by ZSCAN, removed by name.
 */
export const zsetByNameDrainer: Drainer = {
  counts: true,
  async read(channel, key, position, wanted, maxBytes) {
    const n = allowed(channel, key, within(wanted, maxBytes, position.each));
    const args = ['ZSCAN', key, position.cursor ?? '0', 'COUNT', String(n)];
    const { cursor, values } = scanPage(await readPage(channel, key, n, args));
    const elements = values.length / 2;
    const next = after(position, cursor, eachOf(values, elements, position.each, maxBytes));
    const chunk = elements === 0 ? null : { type: 'zset' as const, start: 0, elements, values };
    return { chunk, next, ...(await ended(channel, key, position, next)) };
  },
  async remove(channel, key, chunk) {
    const members = chunk.values.filter((_, index) => index % 2 === 0);
    return count(await channel.call(['ZREM', key, ...members]));
  },
  async shed(channel, key, position, wanted) {
    const read = await this.read(channel, key, position, wanted, 1024 * 1024);
    const removed = read.chunk ? await this.remove(channel, key, read.chunk) : 0;
    return { removed, next: read.next, end: read.end };
  },
  finish: unlink,
};
