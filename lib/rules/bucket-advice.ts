import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';

/**
 * V18 advises into how many buckets a bigkey should be split (`key + hash(field) % buckets`): enough to keep each
 * bucket below the threshold, rounded up to a power of two, so that doubling the buckets later moves only half of the
 * elements. null = the key need not be split, or its type or size is unknown.
 */
export type BucketLimits = Omit<BigkeyThresholds, 'collectionBytes'>;

export function adviseBuckets(
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
 * How far a bigkey is above its threshold. The bad example in the standards, a list of 2,000,000 elements, is 400 times
 * too large.
 */
export type Severity = 'large' | 'huge' | 'extreme';
/**
 * Numbers of Colonnade, in multiples of the threshold: a key ten times too large delays other clients; a key a hundred
 * times too large stops the server while it is deleted in one go.
 */
export const HUGE_TIMES = 10;
const EXTREME_TIMES = 100;

/** Severity of a bigkey (V6). null = it is below its threshold, or its type or size is unknown. */
export function computeSeverity(
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
