import { isElementType } from '@/lib/model/deletions/archive';
import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** A key of up to this many bytes is read in one piece. */
export const MAX_SMALL_BYTES = 16 * 1024;

export function isSmallKey(item: StoredItem): boolean {
  const { bytes } = item.facts;
  return item.mode !== 'in_place' && isElementType(item.type) && bytes !== null && bytes <= MAX_SMALL_BYTES;
}
