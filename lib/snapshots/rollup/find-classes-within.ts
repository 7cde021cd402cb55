import type { KeyFilter } from '@/lib/model/filter';
import { IDLE_BOUNDS, SIZE_BOUNDS, TTL_AHEAD, TTL_BOUNDS, TTL_EXPIRED, TTL_NONE, TTL_UNKNOWN } from './classes';

/** The classes of the keys that a filter selects, per dimension; absent: all classes. */
export interface ClassesWithin {
  ttl?: number[];
  size?: number[];
  idle?: number[];
}

/** Returns the classes; null: a bound of the filter is inside a class. TTLs are counted from `asOf` (epoch ms). */
export function findClassesWithin(filter: KeyFilter, asOf: number): ClassesWithin | null {
  const within: ClassesWithin = {};
  const { ttlMin, ttlMax, bytesMin, bytesMax, idleMin, idleMax, expiry } = filter;
  if (ttlMin !== undefined || ttlMax !== undefined) {
    const ms = TTL_BOUNDS.map((seconds) => seconds * 1000);
    // Expired keys have at most 0 ms left; keys that have not expired have at least 1 ms.
    const bounds = [toMillisecondsLeft(ttlMin, asOf, Math.ceil), toMillisecondsLeft(ttlMax, asOf, Math.floor)] as const;
    const ahead = findClassesInBounds([1, ...ms.slice(1)], ...bounds);
    const expired = isInSpan(Number.NEGATIVE_INFINITY, 0, ...bounds);
    if (ahead === null || expired === null) return null;
    within.ttl = [...(expired ? [TTL_EXPIRED] : []), ...ahead.map((i) => TTL_AHEAD + i)];
  }
  if (expiry !== undefined) {
    const all = TTL_BOUNDS.map((_, i) => TTL_AHEAD + i);
    const allowed = {
      none: [TTL_NONE],
      unknown: [TTL_UNKNOWN],
      expired: [TTL_EXPIRED],
      any: [TTL_EXPIRED, ...all],
    }[expiry];
    within.ttl = within.ttl?.filter((ttl) => allowed.includes(ttl)) ?? allowed;
  }
  if (bytesMin !== undefined || bytesMax !== undefined) {
    const found = findClassesInBounds(SIZE_BOUNDS, ceilBound(bytesMin), floorBound(bytesMax));
    if (found === null) return null;
    within.size = found.map((i) => 1 + i);
  }
  if (idleMin !== undefined || idleMax !== undefined) {
    const found = findClassesInBounds(IDLE_BOUNDS, ceilBound(idleMin), floorBound(idleMax));
    if (found === null) return null;
    within.idle = found.map((i) => 1 + i);
  }
  return within;
}

const ceilBound = (bound: number | undefined) => (bound === undefined ? undefined : Math.ceil(bound));
const floorBound = (bound: number | undefined) => (bound === undefined ? undefined : Math.floor(bound));
/**
 * Rounds as the filter does (filter-where.ts): added to a number as large as `asOf`, a fraction of a millisecond may be
 * lost.
 */
const toMillisecondsLeft = (seconds: number | undefined, asOf: number, round: (n: number) => number) =>
  seconds === undefined ? undefined : round(asOf + seconds * 1000) - asOf;

/**
 * Returns the classes of whole numbers between two bounds, both included; null if only part of some class is between
 * them.
 */
function findClassesInBounds(bounds: readonly number[], min?: number, max?: number): number[] | null {
  const inside: number[] = [];
  for (const [i, from] of bounds.entries()) {
    const within = isInSpan(from, (bounds[i + 1] ?? Number.POSITIVE_INFINITY) - 1, min, max);
    if (within === null) return null;
    if (within) inside.push(i);
  }
  return inside;
}

/** Whether all numbers of a span are between two bounds, both included; null: only some are. */
function isInSpan(
  from: number,
  to: number,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
): boolean | null {
  if (to < min || from > max) return false;
  return from >= min && to <= max ? true : null;
}
