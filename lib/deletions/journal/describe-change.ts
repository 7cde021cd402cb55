import type { StoredItem } from '@/lib/store/deletions/deletion-items';
import { computeAllowedBytes, estimateRenameBytes } from './size-limits';
import { createCodedMessage } from './write-journal';

/**
 * Describes how a key differs from what was approved: another type, a length beyond the tolerance, or memory that the
 * plan did not see. null = it is the approved key; a difference that neither count nor memory shows is not detected.
 * The memory of a key includes its name: `nameDifference` is by how many bytes the name it was read under is longer
 * than its own.
 */
export function describeChange(
  item: Pick<StoredItem, 'type' | 'facts'>,
  current: { type: string | null; length: number | null; bytes: number | null },
  tolerancePercent: number,
  nameDifference = 0,
) {
  if (item.type !== null && current.type !== item.type)
    return createCodedMessage('changed_type', { was: item.type, is: current.type ?? '?' });
  const { length: plannedLength, bytes } = item.facts;
  if (plannedLength !== null && current.length !== null) {
    const allowedDifference = Math.max(1, (plannedLength * tolerancePercent) / 100);
    if (Math.abs(current.length - plannedLength) > allowedDifference)
      return createCodedMessage('changed_length', { was: plannedLength, is: current.length });
  }
  if (bytes === null || current.bytes === null) return null;
  const isCounted = plannedLength !== null && current.length !== null;
  const { min, max } = computeAllowedBytes(bytes, { counted: isCounted, tolerancePercent, type: item.type });
  const nameBytes = estimateRenameBytes(nameDifference);
  return current.bytes < min + nameBytes.min || current.bytes > max + nameBytes.max
    ? createCodedMessage('changed_bytes', { was: bytes, is: current.bytes })
    : null;
}
