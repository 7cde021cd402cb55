import type { KeyFilter } from './filter';
import { LAST_SLOT } from './last-slot';

/** A lower bound that every key is above, an upper one that every key is below. */
const OPEN_ENDS: Partial<Record<keyof KeyFilter, (bound: number) => boolean>> = {
  bytesMin: (bound) => bound <= 0,
  lengthMin: (bound) => bound <= 0,
  nameBytesMin: (bound) => bound <= 0,
  idleMin: (bound) => bound <= 0,
  freqMin: (bound) => bound <= 0,
  slotMin: (bound) => bound <= 0,
  slotMax: (bound) => bound >= LAST_SLOT,
};

/**
 * Whether a filter says anything at all: an empty one, and one whose every field lets all keys through, means
 * everything.
 */
export function narrows(filter: KeyFilter): boolean {
  return Object.entries(filter).some(([name, value]) => {
    // Says how a prefix is meant, and nothing without one.
    if (name === 'exact') return false;
    if (value === undefined || value === false || (value === '' && name !== 'tag')) return false;
    if (Array.isArray(value)) return value.length > 0;
    return typeof value !== 'number' || !OPEN_ENDS[name as keyof KeyFilter]?.(value);
  });
}
