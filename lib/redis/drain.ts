import type { ElementType } from '@/lib/model/archive';
import type { Drainer } from './deletion-types';
import { hashDrainer } from './drain-hash';
import { listDrainer } from './drain-list';
import { setDrainer } from './drain-set';
import { smallDrainer } from './drain-small';
import { streamDrainer } from './drain-stream';
import { stringDrainer } from './drain-string';
import { zsetDrainer } from './drain-zset';

const LARGE: Record<ElementType, Drainer> = {
  hash: hashDrainer,
  list: listDrainer,
  set: setDrainer,
  zset: zsetDrainer,
  string: stringDrainer,
  stream: streamDrainer,
};

/** One allocation: removing from its middle costs more than freeing the whole. */
const COMPACT = new Set(['listpack', 'ziplist', 'intset', 'zipmap', 'listpackex']);

/** How keys of a type are emptied. Small encodings are read in one piece and go in one piece. */
export function drainerOf(type: ElementType, encoding: string | null): Drainer {
  if (encoding !== null && COMPACT.has(encoding)) return smallDrainer(type);
  return LARGE[type];
}
