import type { ElementType } from '@/lib/model/deletions/archive';
import { pageByCursor } from './drain-by-cursor';
import { after, ended, hashDrainer } from './drain-hash';
import { listDrainer } from './drain-list';
import { count, removeAsRead, unlink } from './drain-replies';
import { setDrainer } from './drain-set';
import { isCompact, smallDrainer } from './drain-small';
import { streamDrainer } from './drain-stream';
import { dumpDrainer, stringDrainer } from './drain-whole';
import { zsetDrainer } from './drain-zset';
import type { Drainer } from './drainer';

/**
 * Drains a sorted set that other clients still write, in the way of hashes and sets, because its ranks change but its
 * members do not. It reads members and scores with ZSCAN and removes them by name.
 */
const zsetByNameDrainer: Drainer = {
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

const LARGE: Record<ElementType, Drainer> = {
  hash: hashDrainer,
  list: listDrainer,
  set: setDrainer,
  zset: zsetDrainer,
  string: stringDrainer,
  stream: streamDrainer,
  vectorset: dumpDrainer('vectorset'),
  array: dumpDrainer('array'),
};

/** Returns the drainer of a type. Keys with compact encodings are read in one piece and removed in one piece. */
export function drainerOf(type: ElementType, encoding: string | null): Drainer {
  if (isCompact(encoding)) return smallDrainer(type);
  return LARGE[type];
}

const BY_NAME = { hash: hashDrainer, set: setDrainer, zset: zsetByNameDrainer };
/**
 * Types whose elements have names: these can be removed one by one while other clients write the key. Elements of
 * lists, strings and streams cannot.
 */
export const isNamedType = (type: string | null): type is keyof typeof BY_NAME => type !== null && type in BY_NAME;
/** Returns the drainer for a key in use, whatever its encoding: it removes exactly what was read. */
export const drainerByName = (type: keyof typeof BY_NAME): Drainer => BY_NAME[type];
