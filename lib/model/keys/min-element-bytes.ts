/**
 * The least memory of one element, in bytes: it bounds the number of elements of a key from its memory. The scan uses
 * it to decide which lengths to read, and rules and the bigkey report use it to decide which keys of unknown length may
 * be bigkeys. All use one table, so that a length that was omitted on purpose is never reported as unknown.
 */

import { inWordsSql } from './in-list-sql';

/** An integer in a listpack or intset takes two bytes. */
const PACKED = 2;
/** In hash tables each element has an entry; the real minimum is 24 bytes and more. */
const IN_TABLE = 16;
const TABLES = ['hashtable', 'skiplist'];
/** Fields with values, members with scores: each element is two entries or more. */
const PAIRED = { encodings: ['listpack', 'ziplist', 'listpackex'], types: ['hash', 'zset'] };

export function getMinElementBytes(type: string, encoding: string | null): number {
  if (encoding === null) return PACKED;
  if (TABLES.includes(encoding)) return IN_TABLE;
  return PAIRED.encodings.includes(encoding) && PAIRED.types.includes(type) ? 2 * PACKED : PACKED;
}

/** The same as SQL over the columns of a row. */
export const MIN_ELEMENT_BYTES_SQL = `CASE WHEN ${inWordsSql('encoding', TABLES)} THEN ${IN_TABLE}
  WHEN ${inWordsSql('encoding', PAIRED.encodings)} AND ${inWordsSql('type', PAIRED.types)} THEN ${2 * PACKED} ELSE ${PACKED} END`;
