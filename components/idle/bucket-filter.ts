import type { FilterPatch } from '@/components/reports/filter/filter-params';
import type { IdleReport } from '@/lib/model/reports/reports';

type Bucket = Pick<IdleReport['buckets'][number], 'from' | 'to'>;

/** A bucket ends before the next, a filter counts its upper bound: whole numbers have a last one. null: open. */
export const lastOf = ({ to }: Bucket): number | null => (to === null ? null : to - 1);

/** The keys of a bucket of idle times, or of access counters. */
export function bucketFilter(kind: IdleReport['kind'], bucket: Bucket): FilterPatch {
  const [min, max] = [bucket.from, lastOf(bucket) ?? undefined];
  return kind === 'freq' ? { freqMin: min, freqMax: max } : { idleMin: min, idleMax: max };
}
