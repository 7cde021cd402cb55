import type { ElementType } from '@/lib/model/deletions/archive';
import { readPageByCursor } from './drain-by-cursor';
import { advancePosition, checkWalkEnd, hashDrainer } from './drain-hash';
import { listDrainer } from './drain-list';
import { removeAsRead, toCount, unlink } from './drain-replies';
import { setDrainer } from './drain-set';
import { createSmallDrainer, isCompact } from './drain-small';
import { streamDrainer } from './drain-stream';
import { createDumpDrainer, stringDrainer } from './drain-whole';
import { zsetDrainer } from './drain-zset';
import type { Drainer } from './drainer';

/**
 * Drains a sorted set that other clients still write, in the way of hashes and sets, because its ranks change but its
 * members do not. It reads members and scores with ZSCAN and removes them by name.
 */
const zsetByNameDrainer: Drainer = {
  counts: true,
  async read(channel, key, position, wanted, maxBytes) {
    const { values, cursor, each } = await readPageByCursor(channel, 'ZSCAN', { key, position, wanted, maxBytes });
    const elements = values.length / 2;
    const next = advancePosition(position, cursor, each);
    const chunk = elements === 0 ? null : { type: 'zset' as const, start: 0, elements, values };
    return { chunk, next, ...(await checkWalkEnd(channel, key, position, next)) };
  },
  async remove(channel, key, chunk) {
    const members = chunk.values.filter((_, index) => index % 2 === 0);
    return toCount(await channel.call(['ZREM', key, ...members]));
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
  vectorset: createDumpDrainer('vectorset'),
  array: createDumpDrainer('array'),
};

/** Returns the drainer of a type. Keys with compact encodings are read in one piece and removed in one piece. */
export function selectDrainer(type: ElementType, encoding: string | null): Drainer {
  if (isCompact(encoding)) return createSmallDrainer(type);
  return LARGE[type];
}

const BY_NAME = { hash: hashDrainer, set: setDrainer, zset: zsetByNameDrainer };
/**
 * Types whose elements have names: these can be removed one by one while other clients write the key. Elements of
 * lists, strings and streams cannot.
 */
export const isNamedType = (type: string | null): type is keyof typeof BY_NAME => type !== null && type in BY_NAME;
/** Returns the drainer for a key in use, whatever its encoding: it removes exactly what was read. */
export const selectDrainerByName = (type: keyof typeof BY_NAME): Drainer => BY_NAME[type];
