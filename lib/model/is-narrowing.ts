import type { KeyFilter } from './filter';
import { LAST_SLOT } from './last-slot';

/** Whether a bound excludes nothing: a lower bound below every key, or an upper bound above every key. */
const OPEN_ENDS: Partial<Record<keyof KeyFilter, (bound: number) => boolean>> = {
  bytesMin: (bound) => bound <= 0,
  lengthMin: (bound) => bound <= 0,
  nameBytesMin: (bound) => bound <= 0,
  idleMin: (bound) => bound <= 0,
  freqMin: (bound) => bound <= 0,
  slotMin: (bound) => bound <= 0,
  slotMax: (bound) => bound >= LAST_SLOT,
};

/** Whether a filter excludes any key. An empty filter, and one whose every field matches all keys, exclude none. */
export function isNarrowing(filter: KeyFilter): boolean {
  return Object.entries(filter).some(([name, value]) => {
    // `exact` only changes the meaning of a prefix or template and excludes nothing alone.
    if (name === 'exact') return false;
    // The key with the empty name is one of many.
    if (name === 'prefix' && value === '' && filter.exact && !filter.template) return true;
    if (value === undefined || value === false || (value === '' && name !== 'tag')) return false;
    if (Array.isArray(value)) return value.length > 0;
    return typeof value !== 'number' || !OPEN_ENDS[name as keyof KeyFilter]?.(value);
  });
}
