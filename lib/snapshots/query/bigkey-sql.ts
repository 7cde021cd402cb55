/**
 * SQL predicates for bigkeys over the columns of a snapshot. A string is measured by its own length, any other type by
 * its number of elements or, if few elements use much memory, by its memory. HyperLogLogs, bitmaps and geospatial
 * indexes (lib/model/keys/recognised-values.ts) are no bigkeys. `coalesce` makes the predicates false for unknown
 * facts. Thresholds are whole numbers, which is checked here because they become part of the SQL text.
 */

import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { COMPACT_ENCODINGS } from '@/lib/model/keys/free-cost';
import { inWordsSql } from '@/lib/model/keys/in-list-sql';
import { KEY_TYPES } from '@/lib/model/keys/key-types';
import { longStringSql } from '@/lib/model/keys/long-string-sql';
import { MIN_ELEMENT_BYTES_SQL } from '@/lib/model/keys/min-element-bytes';
import { exceptRecognisedSql, RECOGNISED_SQL } from '@/lib/model/keys/recognised-values';

const exceedsElementsSql = ({ elements }: BigkeyThresholds) =>
  `coalesce(type <> 'string' AND length > ${toWholeText(elements)}, false)`;
const exceedsBytesSql = ({ stringBytes, collectionBytes }: BigkeyThresholds) =>
  `coalesce(CASE WHEN type = 'string' THEN ${longStringSql(toWholeText(stringBytes))}
  ELSE bytes > ${toWholeText(collectionBytes)} END, false)`;
export const overElementsSql = (thresholds: BigkeyThresholds) => exceptRecognisedSql(exceedsElementsSql(thresholds));
export const overBytesSql = (thresholds: BigkeyThresholds) => exceptRecognisedSql(exceedsBytesSql(thresholds));
export const bigkeySql = (thresholds: BigkeyThresholds) =>
  `(${overElementsSql(thresholds)} OR ${overBytesSql(thresholds)})`;

/** True for keys over the thresholds that look like a HyperLogLog, a bitmap or a geospatial index. */
export const recognisedSql = (thresholds: BigkeyThresholds) =>
  `CASE WHEN ${exceedsElementsSql(thresholds)} OR ${exceedsBytesSql(thresholds)} THEN ${RECOGNISED_SQL} ELSE false END`;

/**
 * True for keys whose encoding shows that they are small: an integer, a short string, or one allocation of at most 512
 * elements. It decides when memory is unknown.
 */
const surelySmallSql = ({ elements }: BigkeyThresholds) =>
  inWordsSql(`coalesce(encoding, '')`, ['int', 'embstr', ...(elements < 512 ? [] : COMPACT_ENCODINGS)]);

const WITH_ELEMENTS = KEY_TYPES.filter((type) => type !== 'string');
/** True for keys that may be bigkeys: their length was not read, and neither memory nor encoding decides it. */
export const perhapsBigkeySql = (thresholds: BigkeyThresholds) =>
  exceptRecognisedSql(`(length IS NULL AND NOT ${bigkeySql(thresholds)} AND CASE
    WHEN bytes IS NULL AND ${surelySmallSql(thresholds)} THEN false
    WHEN type = 'string' THEN coalesce(bytes > ${toWholeText(thresholds.stringBytes)}, true)
    WHEN type IS NULL OR ${inWordsSql('type', WITH_ELEMENTS)}
      THEN coalesce(bytes >= ${toWholeText(thresholds.elements)} * (${MIN_ELEMENT_BYTES_SQL}), true)
    ELSE false END)`);

function toWholeText(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no threshold`);
  return String(value);
}
