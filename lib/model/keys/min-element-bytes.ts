import { amongWordsSql } from './among-sql';

/**
 * The least memory of one element, in bytes: by it a key's memory proves that it has few. The scan decides with it
 * whose length it asks, and rules and the bigkey report what of an unknown length may be a bigkey: one table, so that
 * what was left out on purpose is never called unknown.
 */

/** An integer in a listpack or intset takes two. */
const PACKED = 2;
/** In hash tables an element has at least an entry of its own; the real floor is 24 and more. */
const IN_TABLE = 16;
const TABLES = ['hashtable', 'skiplist'];
/** Fields with values, members with scores: two entries each, or more. */
const PAIRED = { encodings: ['listpack', 'ziplist', 'listpackex'], types: ['hash', 'zset'] };

export function minElementBytes(type: string, encoding: string | null): number {
  if (encoding === null) return PACKED;
  if (TABLES.includes(encoding)) return IN_TABLE;
  return PAIRED.encodings.includes(encoding) && PAIRED.types.includes(type) ? 2 * PACKED : PACKED;
}

/** The same over the columns of a row. */
export const MIN_ELEMENT_BYTES_SQL = `CASE WHEN ${amongWordsSql('encoding', TABLES)} THEN ${IN_TABLE}
  WHEN ${amongWordsSql('encoding', PAIRED.encodings)} AND ${amongWordsSql('type', PAIRED.types)} THEN ${2 * PACKED} ELSE ${PACKED} END`;
