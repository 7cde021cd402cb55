import type { KeyFilter } from '@/lib/model/filter';
import { BIG } from './classes';
import { classesWithin } from './classes-within';
import type { PeakDimension } from './find-peaks';
import type { Peaks } from './open-rollup';

/**
 * Returns an upper bound of the keys of a prefix that expire within one minute under a filter. TTLs are counted from
 * `asOf` (epoch ms).
 */
export function peakWithin(peaks: Peaks, filter: KeyFilter, asOf: number): number {
  const bounds = [...valuesOf(filter, asOf)].map(([dim, values]) => {
    const known = peaks.by.get(dim);
    // Peaks are kept for all dimensions or for none. A value without a peak has no key that expires.
    if (known === undefined) return peaks.all;
    return [...new Set(values)].reduce((sum, value) => sum + (known.get(value) ?? 0), 0);
  });
  return Math.min(peaks.all, ...bounds);
}

/** The values that a filter allows, by dimension. With several values a minute has at most the sum of their peaks. */
function valuesOf(filter: KeyFilter, asOf: number): Map<PeakDimension, (string | null)[]> {
  const found = new Map<PeakDimension, (string | null)[]>();
  const add = (dim: PeakDimension, values: readonly (string | number | null)[] | undefined) => {
    if (values && values.length > 0)
      found.set(
        dim,
        values.map((value) => (value === null ? null : String(value))),
      );
  };
  const orNull = (values: readonly string[] | undefined) =>
    values?.map((value) => (value === 'unknown' ? null : value));
  add('node', filter.node);
  add('db', filter.db);
  add('type', orNull(filter.type));
  add('encoding', orNull(filter.encoding));
  if (filter.big === true) add('big', [BIG]);
  // If a bound is inside a class, the bounds are ignored. The result is then larger, but still an upper bound.
  const classes = classesWithin(filter, asOf);
  if (classes !== null) for (const dim of ['ttl', 'size', 'idle'] as const) add(dim, classes[dim]);
  return found;
}
