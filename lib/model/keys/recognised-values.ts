/**
 * Recognises values of the types that S2 and S3 list in addition to the five basic ones: HyperLogLog and Bitmap are
 * strings, geospatial indexes are sorted sets, and the server does not distinguish them. They are meant to be one large
 * key and cannot be split, so they are not reported as bigkeys.
 *   HyperLogLog  A dense one is exactly 12,304 bytes long: 16 of its header (`HYLL`) and 16,384 registers of 6 bits.
 *                The length alone is only an indication. If the header was read (`hyperloglog`: by a preview, or by a
 *                scan that samples values), it decides, whatever the length.
 *   Bitmap, geo  They are recognised only by names that say so (`sign:bitmap:7`), and up to 1 MiB, a limit of
 *                Colonnade: larger ones are reported as bigkeys.
 */

import { buildWordsPattern } from '@/lib/model/text/build-words-pattern';
import { HYPERLOGLOG_HEADER_BYTES } from './hyperloglog';

export const HYPERLOGLOG_BYTES = HYPERLOGLOG_HEADER_BYTES + (16_384 * 6) / 8;
const MAX_RECOGNISED_BYTES = 1024 * 1024;

const BITMAP_NAME = buildWordsPattern(['bitmap', 'bitset', 'bitfield']);
const GEO_NAME = buildWordsPattern(['geo', 'geoset', 'geohash', 'geoindex', 'geospatial']);

type RecognisedValue = 'hyperloglog' | 'bitmap' | 'geo';

/**
 * SQL over the columns of a row; false if the type is unknown. If the length was not read, half of the memory is used,
 * because up to half of it may be reserve.
 */
export const RECOGNISED_SQL = `(CASE type
  WHEN 'string' THEN coalesce(hyperloglog, length = ${HYPERLOGLOG_BYTES}, false)
    OR (coalesce(coalesce(length, bytes / 2) <= ${MAX_RECOGNISED_BYTES}, true) AND regexp_matches(name, '${BITMAP_NAME}'))
  WHEN 'zset' THEN coalesce(bytes <= ${MAX_RECOGNISED_BYTES}, true) AND regexp_matches(name, '${GEO_NAME}')
  ELSE false END)`;

/** The same for one row in JavaScript. */
export function recogniseValue(row: {
  name?: string;
  type?: string | null;
  length?: number | null;
  bytes?: number | null;
  hyperloglog?: boolean | null;
}): RecognisedValue | null {
  const { name = '', type, length, bytes, hyperloglog } = row;
  if (type === 'string') {
    if (hyperloglog ?? length === HYPERLOGLOG_BYTES) return 'hyperloglog';
    const size = length ?? (bytes === null || bytes === undefined ? 0 : bytes / 2);
    return size <= MAX_RECOGNISED_BYTES && new RegExp(BITMAP_NAME!).test(name) ? 'bitmap' : null;
  }
  return type === 'zset' && (bytes ?? 0) <= MAX_RECOGNISED_BYTES && new RegExp(GEO_NAME!).test(name) ? 'geo' : null;
}

/**
 * Returns what a manifest says about the header of a key in its snapshot: false = not a HyperLogLog, null = not read,
 * or it is one.
 */
export const findKeyHeader = (
  notHyperloglogs: readonly { db: number; name: string }[] | undefined,
  key: { db: number; name: string },
): false | null => (notHyperloglogs?.some(({ db, name }) => db === key.db && name === key.name) ? false : null);

/**
 * SQL for `only` (a predicate of Colonnade) except for recognised values. The name is checked only if the predicate is
 * true.
 */
export const exceptRecognisedSql = (only: string) => `(CASE WHEN ${only} THEN NOT ${RECOGNISED_SQL} ELSE false END)`;
