/**
 * Makes predicates about the size of values. If the scan did not read a length, the memory of the key may still prove
 * that it is small. The predicates use the same minimum sizes by which the scan decides which lengths to read, so a key
 * that the scan skipped on purpose is never reported as unknown.
 */

import { COMPACT_ENCODINGS, FREE_MICROSECONDS, LINKED_LIST_MICROSECONDS } from '@/lib/model/keys/free-cost';
import { inWordsSql } from '@/lib/model/keys/in-list-sql';
import { longStringSql } from '@/lib/model/keys/long-string-sql';
import { MIN_ELEMENT_BYTES_SQL } from '@/lib/model/keys/min-element-bytes';
import { exceptRecognisedSql } from '@/lib/model/keys/recognised-values';

export const COLLECTIONS = `('hash', 'list', 'set', 'zset')`;

/** SQL that is true for keys with certainly more than `elements` elements that are no geospatial index. */
export const overSql = (types: string, elements: string) =>
  exceptRecognisedSql(`coalesce(type IN ${types} AND length > ${elements}, false)`);

/**
 * The same for keys that perhaps have more than `elements`: the type or the length is unknown, and no known fact
 * contradicts it.
 */
export const perhapsOverSql = (types: string, elements: string) =>
  exceptRecognisedSql(`(coalesce(type IN ${types}, true) AND (type IS NULL OR length IS NULL) AND
    coalesce(length > ${elements}, bytes >= ${elements} * (${MIN_ELEMENT_BYTES_SQL}), true))`);

const isLongStringSql = (limit: string) => `coalesce(type = 'string' AND ${longStringSql(limit)}, false)`;

/** SQL that is true for strings certainly longer than `limit` bytes that are neither a HyperLogLog nor a bitmap. */
export const bigStringSql = (limit: string) => exceptRecognisedSql(isLongStringSql(limit));

export const perhapsBigStringSql = (limit: string) =>
  exceptRecognisedSql(`(coalesce(type = 'string', true) AND (type IS NULL OR length IS NULL) AND NOT ${isLongStringSql(limit)} AND
    coalesce(coalesce(length, bytes) > ${limit}, true))`);

const FREED_BY_ELEMENT = Object.entries(FREE_MICROSECONDS);
/** SQL for the time to free one element. An unknown type counts like the slowest one. */
const MICROSECONDS_PER_ELEMENT = `CASE WHEN encoding = 'linkedlist' THEN ${LINKED_LIST_MICROSECONDS} ELSE CASE type ${FREED_BY_ELEMENT.map(([type, each]) => `WHEN '${type}' THEN ${each}`).join(' ')}
  ELSE ${Math.max(...FREED_BY_ELEMENT.map(([, each]) => each))} END END`;
const FREED_TYPE = inWordsSql('type', Object.keys(FREE_MICROSECONDS));
const IS_ONE_ALLOCATION = inWordsSql('encoding', COMPACT_ENCODINGS);

/**
 * SQL that is true for a bigkey other than a string that the main thread needs at least `microseconds` (a placeholder)
 * to free. Nearly all keys are small, so the size is tested first and the other conditions only for few keys.
 */
export const blocksWhenFreedSql = (big: { elements: string; bytes: string }, microseconds: string) =>
  exceptRecognisedSql(`(CASE WHEN length > ${big.elements} OR bytes > ${big.bytes}
    THEN coalesce(${FREED_TYPE} AND coalesce(NOT ${IS_ONE_ALLOCATION}, true)
      AND length * (${MICROSECONDS_PER_ELEMENT}) >= ${microseconds}, false) ELSE false END)`);

/** SQL that is true for keys that may be one, because their type or length is unknown. */
export const perhapsBlocksWhenFreedSql = (big: { elements: string; bytes: string }, microseconds: string) =>
  exceptRecognisedSql(`(coalesce(${FREED_TYPE}, true) AND (type IS NULL OR length IS NULL)
    AND (coalesce(length > ${big.elements}, bytes >= ${big.elements} * (${MIN_ELEMENT_BYTES_SQL}), true) OR coalesce(bytes > ${big.bytes}, false))
    AND coalesce(NOT ${IS_ONE_ALLOCATION}, true)
    AND coalesce(coalesce(length, bytes / (${MIN_ELEMENT_BYTES_SQL})) * (${MICROSECONDS_PER_ELEMENT}) >= ${microseconds}, true))`);

export const expires = 'expire_at IS NOT NULL';
export const perhapsExpires = '(expire_at IS NOT NULL OR NOT expiry_known)';

/**
 * SQL that is true for a hash table or skip list that certainly has at most `elements`: its length is known, or its
 * memory is too small for more, as each takes at least 16 bytes.
 */
export const fewInTableSql = (elements: string) =>
  `coalesce(encoding IN ('hashtable', 'skiplist') AND coalesce(length <= ${elements}, bytes <= ${elements} * 16), false)`;
