import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** A key whose elements were counted may have up to this many bytes, whatever its size was before. */
const MAX_UNCHECKED_BYTES = 64 * 1024;
/**
 * The memory of an unchanged key may differ by this factor: MEMORY USAGE samples a few elements, and memory is
 * allocated in advance.
 */
const SAMPLING_FACTOR = 4;
/**
 * The tolerance where elements were not counted: memory is the only measure then, and small encodings are reported
 * exactly.
 */
const UNCOUNTED_PERCENT = 50;
const UNCOUNTED_BYTES = 64;
/** The tolerance for strings: their memory is exact, and allocators use steps of 16 bytes. */
const STRING_BYTES = 15;
/**
 * Redis 4.0 adds the memory of the name as it was sent, and a script sends it in an object that an earlier call left:
 * up to 64 bytes more than MEMORY USAGE reports outside a script.
 */
const SCRIPT_BYTES = 64;

/**
 * Returns between which sizes, in bytes, a key is still the one that was approved. If its elements were counted, memory
 * only shows that a small key has not become large; if not, memory replaces the count.
 */
export function computeAllowedBytes(
  plannedBytes: number,
  measure: { counted: boolean; tolerancePercent: number; type: string | null },
): { min: number; max: number } {
  if (measure.counted) return { min: 0, max: Math.max(MAX_UNCHECKED_BYTES, plannedBytes * SAMPLING_FACTOR) };
  const tolerance =
    measure.type === 'string'
      ? Math.max(STRING_BYTES, (plannedBytes * measure.tolerancePercent) / 100)
      : Math.max(UNCOUNTED_BYTES, (plannedBytes * Math.max(UNCOUNTED_PERCENT, measure.tolerancePercent)) / 100);
  return { min: plannedBytes - tolerance, max: plannedBytes + tolerance };
}

/**
 * Returns how many bytes a key gains through a longer name or loses through a shorter one; allocators use steps of a
 * quarter.
 */
export function estimateRenameBytes(nameDifference: number): { min: number; max: number } {
  const step = nameDifference === 0 ? 0 : Math.max(STRING_BYTES + 1, Math.abs(nameDifference) / 4);
  return { min: nameDifference - step, max: nameDifference + step };
}

/**
 * Returns how many bytes a key may have at its rename, a moment after its facts were read. null = its memory is
 * unknown.
 */
export function computeMaxBytes(
  { facts, type }: Pick<StoredItem, 'facts' | 'type'>,
  current: { length: number | null; bytes: number | null },
  tolerancePercent: number,
): number | null {
  if (current.bytes === null) return null;
  const isCounted = current.length !== null && (facts.length !== null || facts.bytes === null);
  const { max } = computeAllowedBytes(facts.bytes ?? current.bytes, { counted: isCounted, tolerancePercent, type });
  return isCounted ? max : max + SCRIPT_BYTES;
}
