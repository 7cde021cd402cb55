import type { FilterPatch } from '@/components/reports/filter/filter-params';
import type { IdleReport } from '@/lib/model/reports/reports';

type Bucket = Pick<IdleReport['buckets'][number], 'from' | 'to'>;

/**
 * The last whole number of a bucket: `to` is exclusive, but a filter includes its upper bound. null: the bucket has no
 * upper bound.
 */
export const getLastNumber = ({ to }: Bucket): number | null => (to === null ? null : to - 1);

/** The filter for the keys of one bucket of idle times, or of access counters. */
export function buildBucketFilter(kind: IdleReport['kind'], bucket: Bucket): FilterPatch {
  const [min, max] = [bucket.from, getLastNumber(bucket) ?? undefined];
  return kind === 'freq' ? { freqMin: min, freqMax: max } : { idleMin: min, idleMax: max };
}
