import type { StoredItem } from '@/lib/store/deletion-items';
import { told } from './item-journal';

/** How a key differs from what was approved: another type, or a length beyond the tolerance. null = it is that key. */
export function changeOf(
  item: StoredItem,
  look: { type: string | null; length: number | null },
  tolerancePercent: number,
) {
  if (item.type !== null && look.type !== item.type)
    return told('changed_type', { was: item.type, is: look.type ?? '?' });
  const was = item.facts.length;
  if (was === null || look.length === null) return null;
  const allowed = Math.max(1, (was * tolerancePercent) / 100);
  return Math.abs(look.length - was) > allowed ? told('changed_length', { was, is: look.length }) : null;
}
