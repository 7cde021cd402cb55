import type { ElementType } from '@/lib/model/deletions/archive';
import { hashDrainer } from './drain-hash';
import { listDrainer } from './drain-list';
import { setDrainer } from './drain-set';
import { isCompact, smallDrainer } from './drain-small';
import { streamDrainer } from './drain-stream';
import { dumpDrainer, stringDrainer } from './drain-whole';
import { zsetDrainer } from './drain-zset';
import { zsetByNameDrainer } from './drain-zset-by-name';
import type { Drainer } from './drainer';

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

/** How keys of a type are emptied. Small encodings are read in one piece and go in one piece. */
export function drainerOf(type: ElementType, encoding: string | null): Drainer {
  if (isCompact(encoding)) return smallDrainer(type);
  return LARGE[type];
}

const BY_NAME = { hash: hashDrainer, set: setDrainer, zset: zsetByNameDrainer };
/**
 * Types whose elements have names: they can go one by one while others write the key. Lists, strings and streams
 * cannot.
 */
export const isNamedType = (type: string | null): type is keyof typeof BY_NAME => type !== null && type in BY_NAME;
/** How a living key is emptied, whatever its encoding: what is removed is what was read. */
export const drainerByName = (type: keyof typeof BY_NAME): Drainer => BY_NAME[type];
