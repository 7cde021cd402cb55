/**
 * Decides which keys may be asked for their element count. STRLEN, HLEN and the like count as a read: they reset the
 * idle time (or increase the frequency) that the scan reports and that eviction uses. So they are sent only if that
 * does no harm: NO-TOUCH is on, the node is a replica, or the key's memory leaves room for more than the smallest
 * threshold of a rule. A key that cannot reach a threshold is not asked; its length stays unknown but is known to be
 * harmless. If the memory is unknown too (before 4.0, or denied), the encoding decides: a key that could be large is
 * asked, because an undetected bigkey is the greater harm.
 */

import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { COMPACT_ENCODINGS } from '@/lib/model/keys/free-cost';
import type { KeyType } from '@/lib/model/keys/key-types';
import { getMinElementBytes } from '@/lib/model/keys/min-element-bytes';

export type LengthThresholds = Omit<BigkeyThresholds, 'collectionBytes'>;
/**
 * The sizes at which a key becomes a bigkey. Lower numbers would give more lengths and reset the idle times of as many
 * keys.
 */
export const LENGTH_THRESHOLDS: LengthThresholds = STANDARD_THRESHOLDS;

/**
 * The command that returns the element count of a key (the bytes of a string). ARCOUNT, not ARLEN: ARLEN returns the
 * highest index plus one, and an array may have a single element at index 10^12.
 */
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

/** The bytes that a process can address. A MEMORY USAGE of 0 or above this is no valid answer. */
export const MAX_KEY_BYTES = 2 ** 48;

/** Strings of these encodings take less than 45 bytes, on Valkey less than 113. */
const SHORT_STRINGS: ReadonlySet<string | null> = new Set(['int', 'embstr']);
/**
 * Encodings stored in one allocation. Unless configured otherwise, the server converts them to a table above
 * MAX_COMPACT_ELEMENTS.
 */
const COMPACT: ReadonlySet<string | null> = new Set(COMPACT_ENCODINGS);
const MAX_COMPACT_ELEMENTS = 512;

/** Returns true when a key of this memory (bytes; below zero = unknown) may exceed a threshold. */
export function mayExceed(
  type: SizedType,
  encoding: string | null,
  bytes: number,
  thresholds: LengthThresholds = LENGTH_THRESHOLDS,
): boolean {
  if (bytes < 0) return mayExceedWithoutSize(type, encoding, thresholds);
  if (type === 'string') return bytes >= thresholds.stringBytes;
  return bytes >= thresholds.elements * getMinElementBytes(type, encoding);
}

function mayExceedWithoutSize(type: SizedType, encoding: string | null, thresholds: LengthThresholds): boolean {
  if (type === 'string') return !SHORT_STRINGS.has(encoding);
  return !COMPACT.has(encoding) || thresholds.elements < MAX_COMPACT_ELEMENTS;
}
