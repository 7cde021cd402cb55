import { pageByCursor } from './drain-by-cursor';
import { after, ended } from './drain-hash';
import { count, removeAsRead, unlink } from './drain-replies';
import type { Drainer } from './drainer';

/**
 * A sorted set that others still write, as hashes and sets are drained: its ranks move, its members do not. Members and
 * scores by ZSCAN, removed by name.
 */
export const zsetByNameDrainer: Drainer = {
  counts: true,
  async read(channel, key, position, wanted, maxBytes) {
    const { values, cursor, each } = await pageByCursor(channel, 'ZSCAN', { key, position, wanted, maxBytes });
    const elements = values.length / 2;
    const next = after(position, cursor, each);
    const chunk = elements === 0 ? null : { type: 'zset' as const, start: 0, elements, values };
    return { chunk, next, ...(await ended(channel, key, position, next)) };
  },
  async remove(channel, key, chunk) {
    const members = chunk.values.filter((_, index) => index % 2 === 0);
    return count(await channel.call(['ZREM', key, ...members]));
  },
  removeNext(channel, key, position, wanted) {
    return removeAsRead(this, channel, key, position, wanted);
  },
  finish: unlink,
};
