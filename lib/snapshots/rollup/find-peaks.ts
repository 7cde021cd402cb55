import type { BigkeyThresholds } from '@/lib/model/keys/bigkey-thresholds';
import { prefixSql } from '@/lib/snapshots/key-query/prefix-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { bigkeySql } from '@/lib/snapshots/query/bigkey-sql';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import { type Connection, queryRows } from '@/lib/snapshots/query/duckdb';
import { BIG, idleClassSql, sizeClassSql, ttlClassSql } from './classes';

/**
 * The peak of a prefix is the largest number of its keys that expire within one minute (any that begins with a half
 * minute). There is a peak of all its keys, and one of its keys with each node, type, class of size and so on. Whatever
 * a filter selects of a prefix has no more than these, so most questions about storms are answered without reading a
 * key (storm-prefixes.ts). A prefix has no row if no minute has STORM_KEYS of its keys: then it has no storm under any
 * filter.
 *
 *   peaks  prefix · dim ('' of all its keys) · value (NULL: unknown) → peak
 */
export const PEAK_DIMENSIONS = ['node', 'db', 'type', 'encoding', 'ttl', 'size', 'idle', 'big'] as const;
export type PeakDimension = (typeof PEAK_DIMENSIONS)[number];
/**
 * Limits for peaks by dimension. For further prefixes, and for those whose keys expire in more half minutes, only the
 * peak of all keys is kept.
 */
const MAX_PREFIXES = 64;
const MAX_HALVES = 200_000;
const PEAKS = 'rollup_peaks';

export const NO_PEAKS_SQL = `SELECT '' AS prefix, '' AS dim, '' AS value, 0::BIGINT AS peak WHERE false`;

/**
 * SQL for the number of keys in the next half minute, from `half` and `keys`; 0 if there is a gap before the next row.
 */
export const nextHalfSql = (partition: string): string => {
  const over = `OVER (PARTITION BY ${partition} ORDER BY half)`;
  return `CASE WHEN lead(half) ${over} = half + 1 THEN lead(keys) ${over} ELSE 0 END`;
};

/** Returns the SELECT of the table `peaks`. `busy` is a table with the columns prefix, keys, halves and peak. */
export async function peaksSql(
  connection: Connection,
  busy: string,
  about: { keys: string; asOf: number; bigkeys: BigkeyThresholds },
): Promise<string> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${PEAKS} AS SELECT prefix, '' AS dim, NULL::VARCHAR AS value, peak FROM ${busy}`,
  );
  const some = await queryRows<{ prefix: string }>(
    connection,
    `SELECT prefix FROM ${busy} WHERE prefix <> '' AND halves <= ${MAX_HALVES} ORDER BY keys DESC, prefix LIMIT ${MAX_PREFIXES}`,
  );
  for (const { prefix } of some) await addDimensions(connection, prefix, about);
  return `SELECT * FROM ${PEAKS} ORDER BY ALL`;
}

export const dropPeaks = (connection: Connection) => connection.run(`DROP TABLE IF EXISTS ${PEAKS}`);

async function addDimensions(
  connection: Connection,
  prefix: string,
  { keys, asOf, bigkeys }: { keys: string; asOf: number; bigkeys: BigkeyThresholds },
): Promise<void> {
  const where = new Where().prefix(prefix).and(`expire_at > ${asOf}`);
  // A name that begins with a prefix of one segment may belong to a prefix of two segments, so compare the whole
  // prefix.
  if (!/:.*:$/.test(prefix)) where.and(`${prefixSql(where, TEMPLATE_DELIMITER)} = ${where.bind(prefix)}::VARCHAR`);
  const rows = `SELECT expire_at // 30000 AS half, node, db, type, encoding, ${ttlClassSql(asOf)} AS ttl, ${sizeClassSql} AS size,
    ${idleClassSql} AS idle, (CASE WHEN ${bigkeySql(bigkeys)} THEN ${BIG} ELSE 0 END)::UTINYINT AS big FROM ${keys} ${where.sql}`;
  const sets = PEAK_DIMENSIONS.map((dim) => `(half, ${dim})`).join(', ');
  const dims = PEAK_DIMENSIONS.join(', ');
  const of = (result: (dim: PeakDimension) => string) =>
    `CASE ${PEAK_DIMENSIONS.map((dim) => `WHEN grouped = ${groupedBy(dim)} THEN ${result(dim)}`).join(' ')} END`;
  await queryRows(
    connection,
    `INSERT INTO ${PEAKS}
     WITH grouped AS (
       SELECT half, ${dims}, grouping(${dims}) AS grouped, count(*) AS keys FROM (${rows}) GROUP BY GROUPING SETS (${sets})),
     valued AS (SELECT half, keys, ${of((dim) => `'${dim}'`)} AS dim, ${of((dim) => `${dim}::VARCHAR`)} AS value FROM grouped)
     SELECT ${where.bind(prefix)}::VARCHAR, dim, value, max(keys + next)::BIGINT
     FROM (SELECT *, ${nextHalfSql('dim, value')} AS next FROM valued) GROUP BY dim, value`,
    where.values,
  );
}

/**
 * The value of grouping() for the set with one dimension: it has a bit for each dimension that is not in the set, the
 * first dimension highest.
 */
function groupedBy(dim: PeakDimension): number {
  const all = 2 ** PEAK_DIMENSIONS.length - 1;
  return all - 2 ** (PEAK_DIMENSIONS.length - 1 - PEAK_DIMENSIONS.indexOf(dim));
}
