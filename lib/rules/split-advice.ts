import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { recogniseValue } from '@/lib/model/keys/recognised-values';
import type { SplitAdvice } from '@/lib/model/rules/findings';

/**
 * The types that have bigkey thresholds, and how a key of each is split. Elements of hashes and sets are looked up one
 * by one, so a hash of the element can choose the new key. Lists and sorted sets are read in order and are split
 * differently.
 */
const SPLIT_BY = { string: 'bytes', hash: 'elements', set: 'elements', list: 'list', zset: 'zset' } as const;
const hasThreshold = (type: string): type is keyof typeof SPLIT_BY => Object.hasOwn(SPLIT_BY, type);

/**
 * Numbers of Colonnade, in multiples of the threshold: a key ten times too large delays other clients; a key a hundred
 * times too large stops the server while it is deleted in one go. The bad example in the standards, a list of 2,000,000
 * elements, is 400 times too large.
 */
export const HUGE_TIMES = 10;
const EXTREME_TIMES = 100;

/**
 * Says how far a key is above the bigkey thresholds (V6) and into how many keys it should be split (V18: `key +
 * hash(field) % buckets`): enough to keep each below the threshold, rounded up to a power of two, so that doubling the
 * buckets later moves only half of the elements. null = it is not above the threshold, its type has none, or its type
 * or size is unknown.
 */
export function adviseSplit(row: Parameters<typeof recogniseValue>[0], limits: BigkeyThresholds): SplitAdvice | null {
  const { type = null, length = null, bytes = null } = row;
  if (type === null || !hasThreshold(type) || recogniseValue(row) !== null) return null;
  const size = type === 'string' ? (length ?? bytes) : length;
  if (size === null) return null;
  const times = size / (type === 'string' ? limits.stringBytes : limits.elements);
  if (times <= 1) return null;
  const severity = times > EXTREME_TIMES ? 'extreme' : times > HUGE_TIMES ? 'huge' : 'large';
  return { severity, times, buckets: 2 ** Math.ceil(Math.log2(Math.ceil(times))), of: SPLIT_BY[type] };
}
