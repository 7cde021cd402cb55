import { pageByCursor } from './drain-by-cursor';
import { after, ended } from './drain-hash';
import { count, removeAsRead, unlink } from './drain-replies';
import type { Drainer } from './drainer';

/** Reads members with SSCAN and removes them by name, like the fields of a hash. */
export const setDrainer: Drainer = {
  counts: true,
  async read(channel, key, position, wanted, maxBytes) {
    const { values, cursor, each } = await pageByCursor(channel, 'SSCAN', { key, position, wanted, maxBytes });
    const next = after(position, cursor, each);
    const chunk = values.length === 0 ? null : { type: 'set' as const, start: 0, elements: values.length, values };
    return { chunk, next, ...(await ended(channel, key, position, next)) };
  },
  async remove(channel, key, chunk) {
    return count(await channel.call(['SREM', key, ...chunk.values]));
  },
  removeNext(channel, key, position, wanted) {
    return removeAsRead(this, channel, key, position, wanted);
  },
  finish: unlink,
};
