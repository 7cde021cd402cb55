import type { CompiledProfile } from '@/lib/findings/policy/compile-policy';
import { recognisedValue } from '@/lib/model/keys/recognised-values';
import type { SplitAdvice } from '@/lib/model/rules/findings';
import { bigkeyThresholds } from '@/lib/rules/bigkey-thresholds';
import { bucketsFor, severityOf } from '@/lib/rules/bucket-advice';

/** What the thresholds of a profile say of one key: how far above it is, and into how many it should be split. */
const MEASURED: readonly (string | null)[] = ['string', 'hash', 'list', 'set', 'zset'];

/** A hash of the element divides what is looked up by the element; lists and sorted sets are read by their order. */
const SPLIT_BY = { string: 'bytes', hash: 'elements', set: 'elements', list: 'list', zset: 'zset' } as const;

export function splitAdvice(
  profile: Pick<CompiledProfile, 'body'>,
  row: Parameters<typeof recognisedValue>[0],
): SplitAdvice | null {
  const limits = bigkeyThresholds(profile.body);
  const [type, length, bytes] = [row.type ?? null, row.length ?? null, row.bytes ?? null];
  if (!MEASURED.includes(type) || recognisedValue(row) !== null) return null;
  const severity = severityOf(type, length, bytes, limits);
  const buckets = bucketsFor(type, length, bytes, limits);
  if (severity === null || buckets === null) return null;
  const isString = type === 'string';
  const times = isString ? (length ?? bytes)! / limits.stringBytes : length! / limits.elements;
  return { severity, times, buckets, of: SPLIT_BY[type as keyof typeof SPLIT_BY] };
}
