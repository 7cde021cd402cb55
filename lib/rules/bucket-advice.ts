import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';

/**
 * V18: into how many buckets a bigkey should be split, `key + hash(field) % buckets`: as many as keep each below the
 * threshold, rounded up to a power of two, so that doubling them later moves only half of the elements.
 * null = it need not be split, or what it would take is unknown.
 */
export type BucketLimits = Omit<BigkeyThresholds, 'collectionBytes'>;

export function bucketsFor(
  type: string | null,
  length: number | null,
  bytes: number | null,
  limits: BucketLimits = STANDARD_THRESHOLDS,
): number | null {
  const size = type === 'string' ? (length ?? bytes) : length;
  if (type === null || size === null) return null;
  const parts = Math.ceil(size / Math.max(1, type === 'string' ? limits.stringBytes : limits.elements));
  return parts <= 1 ? null : 2 ** Math.ceil(Math.log2(parts));
}

/**
 * How far a bigkey is above its threshold. The standards' anti-example, a list of 2,000,000, is 400 times too large.
 */
export type Severity = 'large' | 'huge' | 'extreme';
/** Ours: ten times delays others, a hundred times stops the server for as long as it is removed at once. */
export const HUGE_TIMES = 10;
const EXTREME_TIMES = 100;

/** V6. null = below its threshold, or unknown. */
export function severityOf(
  type: string | null,
  length: number | null,
  bytes: number | null,
  limits: BucketLimits = STANDARD_THRESHOLDS,
): Severity | null {
  const size = type === 'string' ? (length ?? bytes) : length;
  if (type === null || size === null) return null;
  const times = size / Math.max(1, type === 'string' ? limits.stringBytes : limits.elements);
  if (times <= 1) return null;
  return times > EXTREME_TIMES ? 'extreme' : times > HUGE_TIMES ? 'huge' : 'large';
}
