import { amongWordsSql } from '@/lib/model/keys/among-sql';
import { COMPACT_ENCODINGS, FREE_MICROSECONDS, LINKED_LIST_MICROSECONDS } from '@/lib/model/keys/free-cost';
import { longStringSql } from '@/lib/model/keys/long-string-sql';
import { MIN_ELEMENT_BYTES_SQL } from '@/lib/model/keys/min-element-bytes';
import { exceptRecognised } from '@/lib/model/keys/recognised-values';

/**
 * Sizes of values as predicates. Where the scan did not ask a length, the key's memory may still prove that it is
 * small: the same floors by which the scan decides whom to ask, so what it left out on purpose is never called unknown.
 */
export const COLLECTIONS = `('hash', 'list', 'set', 'zset')`;

/** More than `elements`, for certain, and no geospatial index. */
export const over = (types: string, elements: string) =>
  exceptRecognised(`coalesce(type IN ${types} AND length > ${elements}, false)`);

/** Perhaps more than `elements`: the type or the length is unknown, and nothing known speaks against it. */
export const perhapsOver = (types: string, elements: string) =>
  exceptRecognised(`(coalesce(type IN ${types}, true) AND (type IS NULL OR length IS NULL) AND
    coalesce(length > ${elements}, bytes >= ${elements} * (${MIN_ELEMENT_BYTES_SQL}), true))`);

const longString = (limit: string) => `coalesce(type = 'string' AND ${longStringSql(limit)}, false)`;

/** Surely longer, and no HyperLogLog or bitmap. */
export const bigString = (limit: string) => exceptRecognised(longString(limit));

export const perhapsBigString = (limit: string) =>
  exceptRecognised(`(coalesce(type = 'string', true) AND (type IS NULL OR length IS NULL) AND NOT ${longString(limit)} AND
    coalesce(coalesce(length, bytes) > ${limit}, true))`);

const FREED_BY_ELEMENT = Object.entries(FREE_MICROSECONDS);
/** Of an unknown type, as long as the slowest takes. */
const MICROSECONDS = `CASE WHEN encoding = 'linkedlist' THEN ${LINKED_LIST_MICROSECONDS} ELSE CASE type ${FREED_BY_ELEMENT.map(([type, each]) => `WHEN '${type}' THEN ${each}`).join(' ')}
  ELSE ${Math.max(...FREED_BY_ELEMENT.map(([, each]) => each))} END END`;
const FREED_TYPE = amongWordsSql('type', Object.keys(FREE_MICROSECONDS));
const IS_ONE_ALLOCATION = amongWordsSql('encoding', COMPACT_ENCODINGS);

/**
 * A bigkey that is no string, and that the main thread frees in at least so many microseconds (a placeholder). Nearly
 * all keys are small, so that is asked first and the rest of few.
 */
export const blocksWhenFreed = (big: { elements: string; bytes: string }, microseconds: string) =>
  exceptRecognised(`(CASE WHEN length > ${big.elements} OR bytes > ${big.bytes}
    THEN coalesce(${FREED_TYPE} AND coalesce(NOT ${IS_ONE_ALLOCATION}, true)
      AND length * (${MICROSECONDS}) >= ${microseconds}, false) ELSE false END)`);

/** Perhaps such a key: its type or length is unknown. */
export const perhapsBlocksWhenFreed = (big: { elements: string; bytes: string }, microseconds: string) =>
  exceptRecognised(`(coalesce(${FREED_TYPE}, true) AND (type IS NULL OR length IS NULL)
    AND (coalesce(length > ${big.elements}, bytes >= ${big.elements} * (${MIN_ELEMENT_BYTES_SQL}), true) OR coalesce(bytes > ${big.bytes}, false))
    AND coalesce(NOT ${IS_ONE_ALLOCATION}, true)
    AND coalesce(coalesce(length, bytes / (${MIN_ELEMENT_BYTES_SQL})) * (${MICROSECONDS}) >= ${microseconds}, true))`);

export const expires = 'expire_at IS NOT NULL';
export const perhapsExpires = '(expire_at IS NOT NULL OR NOT expiry_known)';

/** A table that is surely this small: counted, or without memory for more. */
export const fewInTable = (elements: string) =>
  `coalesce(encoding IN ('hashtable', 'skiplist') AND coalesce(length <= ${elements}, bytes <= ${elements} * 16), false)`;
