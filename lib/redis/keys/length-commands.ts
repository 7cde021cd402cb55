import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { COMPACT_ENCODINGS } from '@/lib/model/keys/free-cost';
import type { KeyType } from '@/lib/model/keys/key-types';
import { minElementBytes } from '@/lib/model/keys/min-element-bytes';

/**
 * Which keys may be asked for their element count. STRLEN, HLEN and the like count as a read: they reset the idle time
 * (or bump the frequency) that the scan reports and that eviction goes by. So they are sent only where that does no
 * harm: NO-TOUCH is on, the node is a replica, or the key's memory leaves room for more than the smallest threshold of
 * a rule. A key that cannot reach it stays unasked; its length is unknown, and known to be harmless. Where the memory
 * is unknown too (before 4.0, or denied) the encoding decides: what could be large is asked, because a bigkey that
 * nobody sees is the greater harm.
 */
export type LengthThresholds = Omit<BigkeyThresholds, 'collectionBytes'>;
/** Where a key becomes a bigkey. A lower number would know more lengths and disturb the idle times of as many keys. */
export const LENGTH_THRESHOLDS: LengthThresholds = STANDARD_THRESHOLDS;

/** ARCOUNT, not ARLEN: that is the highest index plus one, and an array may have one element at index 10^12. */
export const LENGTH_COMMANDS = {
  string: 'STRLEN',
  hash: 'HLEN',
  list: 'LLEN',
  set: 'SCARD',
  zset: 'ZCARD',
  stream: 'XLEN',
  vectorset: 'VCARD',
  array: 'ARCOUNT',
} as const satisfies Record<KeyType, string>;
export type SizedType = keyof typeof LENGTH_COMMANDS;

export function isSizedType(type: string | null): type is SizedType {
  return type !== null && Object.hasOwn(LENGTH_COMMANDS, type);
}

/** What a process can address; no key takes nothing either. Outside of it MEMORY USAGE tells nothing. */
export const MAX_KEY_BYTES = 2 ** 48;

/** Strings of these encodings take less than 45 bytes, on Valkey less than 113. */
const SHORT_STRINGS: ReadonlySet<string | null> = new Set(['int', 'embstr']);
/** One allocation, which the server turns into a table beyond so many elements unless it is configured otherwise. */
const COMPACT: ReadonlySet<string | null> = new Set(COMPACT_ENCODINGS);
export const MAX_COMPACT_ELEMENTS = 512;

/** True when a key of this memory (bytes; below zero = unknown) may exceed a threshold. */
export function mayExceed(
  type: SizedType,
  encoding: string | null,
  bytes: number,
  thresholds: LengthThresholds = LENGTH_THRESHOLDS,
): boolean {
  if (bytes < 0) return mayExceedUnweighed(type, encoding, thresholds);
  if (type === 'string') return bytes >= thresholds.stringBytes;
  return bytes >= thresholds.elements * minElementBytes(type, encoding);
}

function mayExceedUnweighed(type: SizedType, encoding: string | null, thresholds: LengthThresholds): boolean {
  if (type === 'string') return !SHORT_STRINGS.has(encoding);
  return !COMPACT.has(encoding) || thresholds.elements < MAX_COMPACT_ELEMENTS;
}
