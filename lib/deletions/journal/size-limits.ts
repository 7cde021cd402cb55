import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** A key of up to this many bytes is not large, whatever its size was before. */
const NOTHING_LARGE = 64 * 1024;
/**
 * The memory of an unchanged key may differ by this factor: MEMORY USAGE samples a few elements, and memory is
 * allocated in advance.
 */
const SAMPLING = 4;
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
  was: number,
  by: { counted: boolean; tolerancePercent: number; type: string | null },
): { min: number; max: number } {
  if (by.counted) return { min: 0, max: Math.max(NOTHING_LARGE, was * SAMPLING) };
  const allowed =
    by.type === 'string'
      ? Math.max(STRING_BYTES, (was * by.tolerancePercent) / 100)
      : Math.max(UNCOUNTED_BYTES, (was * Math.max(UNCOUNTED_PERCENT, by.tolerancePercent)) / 100);
  return { min: was - allowed, max: was + allowed };
}

/**
 * Returns how many bytes a key gains through a longer name or loses through a shorter one; allocators use steps of a
 * quarter.
 */
export function estimateRenameBytes(longerName: number): { min: number; max: number } {
  const step = longerName === 0 ? 0 : Math.max(STRING_BYTES + 1, Math.abs(longerName) / 4);
  return { min: longerName - step, max: longerName + step };
}

/**
 * Returns how many bytes a key may have at its rename, a moment after its facts were read. null = its memory is
 * unknown.
 */
export function computeMaxBytes(
  { facts, type }: Pick<StoredItem, 'facts' | 'type'>,
  look: { length: number | null; bytes: number | null },
  tolerancePercent: number,
): number | null {
  if (look.bytes === null) return null;
  const counted = look.length !== null && (facts.length !== null || facts.bytes === null);
  const { max } = computeAllowedBytes(facts.bytes ?? look.bytes, { counted, tolerancePercent, type });
  return counted ? max : max + SCRIPT_BYTES;
}
