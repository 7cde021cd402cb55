import type { StoredItem } from '@/lib/store/deletions/deletion-items';

/** A key up to this size is nothing large, whatever it was before. */
const NOTHING_LARGE = 64 * 1024;
/**
 * MEMORY USAGE samples a few elements, and allocation runs ahead: the same key may seem this much larger or smaller.
 */
const SAMPLING = 4;
/** Without a count memory is all there is, and small encodings are reported exactly. */
const UNCOUNTED_PERCENT = 50;
const UNCOUNTED_BYTES = 64;
/** The memory of a string is no estimate, and allocators hand out steps of 16 bytes. */
const STRING_BYTES = 15;
/**
 * Redis 4.0 adds the memory of the name as it was sent, and a script sends it in an object that an earlier call left
 * behind: up to 64 bytes more than a look by MEMORY USAGE itself says.
 */
const SCRIPT_BYTES = 64;

/**
 * Between which bytes a key of so many bytes still is what was approved. Where its elements were counted, memory only
 * says that what was small has not become large; where they were not, it stands for the count.
 */
export function bytesAllowed(
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

/** Bytes that a key gains by a name that is so much longer, or loses by a shorter one; allocators step by a quarter. */
export function bytesOfRename(longerName: number): { min: number; max: number } {
  const step = longerName === 0 ? 0 : Math.max(STRING_BYTES + 1, Math.abs(longerName) / 4);
  return { min: longerName - step, max: longerName + step };
}

/** What a key may have at its rename, which is a moment after it was looked at. null = its memory is not known. */
export function maxBytesOf(
  { facts, type }: Pick<StoredItem, 'facts' | 'type'>,
  look: { length: number | null; bytes: number | null },
  tolerancePercent: number,
): number | null {
  if (look.bytes === null) return null;
  const counted = look.length !== null && (facts.length !== null || facts.bytes === null);
  const { max } = bytesAllowed(facts.bytes ?? look.bytes, { counted, tolerancePercent, type });
  return counted ? max : max + SCRIPT_BYTES;
}
