import type { ElementType } from '@/lib/model/deletions/archive';
import { setDrainer, zsetByNameDrainer } from './drain-by-cursor';
import { hashDrainer } from './drain-hash';
import { listDrainer } from './drain-list';
import { createSmallDrainer, isCompact } from './drain-small';
import { streamDrainer } from './drain-stream';
import { createDumpDrainer, stringDrainer } from './drain-whole';
import { zsetDrainer } from './drain-zset';
import type { Drainer } from './drainer';

/** The drainers of keys whose encoding is not compact. */
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

/** The drainers of keys that other clients write. */
const BY_NAME = { hash: hashDrainer, set: setDrainer, zset: zsetByNameDrainer };

/**
 * Types whose elements have names: these can be removed one by one while other clients write the key. Elements of
 * lists, strings and streams cannot.
 */
export const isNamedType = (type: string | null): type is keyof typeof BY_NAME => type !== null && type in BY_NAME;

/** Returns the drainer for a key in use, whatever its encoding: it removes exactly what was read. */
export const selectDrainerByName = (type: keyof typeof BY_NAME): Drainer => BY_NAME[type];
