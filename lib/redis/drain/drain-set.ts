import { readPageByCursor } from './drain-by-cursor';
import { advancePosition, checkWalkEnd } from './drain-hash';
import { removeAsRead, toCount, unlink } from './drain-replies';
import type { Drainer } from './drainer';

/** Reads members with SSCAN and removes them by name, like the fields of a hash. */
export const setDrainer: Drainer = {
  counts: true,
  async read(channel, key, position, wanted, maxBytes) {
    const { values, cursor, each } = await readPageByCursor(channel, 'SSCAN', { key, position, wanted, maxBytes });
    const next = advancePosition(position, cursor, each);
    const chunk = values.length === 0 ? null : { type: 'set' as const, start: 0, elements: values.length, values };
    return { chunk, next, ...(await checkWalkEnd(channel, key, position, next)) };
  },
  async remove(channel, key, chunk) {
    return toCount(await channel.call(['SREM', key, ...chunk.values]));
  },
  removeNext(channel, key, position, wanted) {
    return removeAsRead(this, channel, key, position, wanted);
  },
  finish: unlink,
};
