import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { createCodedMessage } from './item-journal';
import { computeAllowedBytes, estimateRenameBytes } from './size-limits';

/**
 * Describes how a key differs from what was approved: another type, a length beyond the tolerance, or memory that the
 * plan did not see. null = it is the approved key; a difference that neither count nor memory shows is not detected.
 * The memory of a key includes its name: `longerName` is by how many bytes the name it was read under is longer than
 * its own.
 */
export function describeChange(
  item: Pick<StoredItem, 'type' | 'facts'>,
  look: { type: string | null; length: number | null; bytes: number | null },
  tolerancePercent: number,
  longerName = 0,
) {
  if (item.type !== null && look.type !== item.type)
    return createCodedMessage('changed_type', { was: item.type, is: look.type ?? '?' });
  const { length: was, bytes } = item.facts;
  if (was !== null && look.length !== null) {
    const allowed = Math.max(1, (was * tolerancePercent) / 100);
    if (Math.abs(look.length - was) > allowed) return createCodedMessage('changed_length', { was, is: look.length });
  }
  if (bytes === null || look.bytes === null) return null;
  const counted = was !== null && look.length !== null;
  const { min, max } = computeAllowedBytes(bytes, { counted, tolerancePercent, type: item.type });
  const name = estimateRenameBytes(longerName);
  return look.bytes < min + name.min || look.bytes > max + name.max
    ? createCodedMessage('changed_bytes', { was: bytes, is: look.bytes })
    : null;
}
