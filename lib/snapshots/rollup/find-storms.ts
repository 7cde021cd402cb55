import { prefixSql } from '@/lib/snapshots/key-query/prefix-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import { type Connection, queryRows } from '@/lib/snapshots/query/duckdb';
import { halvesSql, STORM_KEYS, STORM_TIMES, stormsFromHalvesSql } from './storm-sql';

const HALVES = 'rollup_halves';
const SUMMED = 'rollup_halves_summed';
const STORMS = 'rollup_storms';
/** Maximum number of storms kept of one prefix; the report shows the largest of all prefixes. */
const MAX_STORMS = 50;

/** Prefixes are evaluated and the rest is summed after this many new rows, because both read all rows. */
const PENDING_ROWS = 200_000;

/** Maximum number of storms of all prefixes. With more, the table is empty and the keys are read. */
const MAX_ROWS = 20_000;

interface StormKeys {
  /** Sub-selects in brackets with the columns of keys, in the order of names. */
  ranges: readonly string[];
  asOf: number;
  /** Tests set this to evaluate prefixes earlier. */
  pendingRows?: number | undefined;
}

/**
 * Finds the storms of a snapshot, range by range. A prefix is evaluated when no later range can have more of its keys:
 * names come in order, and prefixes with the same first segment are adjacent. Until then the half minutes of unfinished
 * prefixes are kept: each once, plus those of a few ranges that are not summed yet.
 *
 * Writes the table `storms`. Returns whether it contains every prefix; otherwise it is empty.
 */
export async function findStorms(
  connection: Connection,
  { ranges, asOf, pendingRows = PENDING_ROWS }: StormKeys,
  write: (table: 'storms', select: string) => Promise<unknown>,
): Promise<boolean> {
  try {
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${HALVES} (prefix VARCHAR, half BIGINT, keys BIGINT, bytes DOUBLE)`,
    );
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${STORMS} (prefix VARCHAR, minute DOUBLE, keys BIGINT, bytes DOUBLE, ofKeys DOUBLE, expected DOUBLE)`,
    );
    let pending = 0;
    for (const [index, range] of ranges.entries()) {
      const where = new Where();
      where.and(`expire_at > ${asOf}`);
      const prefix = prefixSql(where, TEMPLATE_DELIMITER);
      const insert = `INSERT INTO ${HALVES} ${halvesSql(range, where.sql, prefix)}`;
      pending += (await queryRows<{ Count: number }>(connection, insert, where.values))[0]!.Count;
      const isLast = index === ranges.length - 1;
      if (!isLast && pending < pendingRows) continue;
      const [last] = await queryRows<{ name: string | null }>(connection, `SELECT max(name) AS name FROM ${range}`);
      await evaluatePrefixes(connection, isLast ? null : (last?.name ?? ''));
      if (!isLast) await sumHalves(connection);
      pending = 0;
    }
    const [counted] = await queryRows<{ n: number }>(connection, `SELECT count(*) AS n FROM ${STORMS}`);
    const whole = counted!.n <= MAX_ROWS;
    await write('storms', `SELECT * FROM ${STORMS} ${whole ? '' : 'WHERE false'} ORDER BY prefix, minute`);
    return whole;
  } finally {
    for (const table of [HALVES, SUMMED, STORMS]) await connection.run(`DROP TABLE IF EXISTS ${table}`);
  }
}

/** Sums the rows of one prefix and half minute, because several ranges may have added some. */
async function sumHalves(connection: Connection): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${SUMMED} AS
     SELECT prefix, half, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes FROM ${HALVES} GROUP BY 1, 2`,
  );
  await connection.run(`DROP TABLE ${HALVES}`);
  await connection.run(`ALTER TABLE ${SUMMED} RENAME TO ${HALVES}`);
}

/**
 * Evaluates the finished prefixes and deletes their rows. `last` is the last name that was read; null: all were read.
 */
async function evaluatePrefixes(connection: Connection, last: string | null): Promise<void> {
  const where = new Where();
  // The empty prefix has names without a delimiter, which may be in any range. Prefixes with the first segment of
  // `last` may continue in the next range.
  if (last !== null)
    where.and(`prefix <> '' AND split_part(prefix, ':', 1) <> ${where.bind(last.split(':')[0]!)}::VARCHAR`);
  const min = { keys: `${STORM_KEYS}`, times: `${STORM_TIMES}` };
  await queryRows(
    connection,
    `INSERT INTO ${STORMS}
     WITH halves AS (SELECT prefix, half, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes FROM ${HALVES} ${where.sql} GROUP BY 1, 2),
       ${stormsFromHalvesSql(min)}
     SELECT prefix, minute, keys, bytes, ofKeys, expected FROM storms
     QUALIFY row_number() OVER (PARTITION BY prefix ORDER BY keys DESC, minute) <= ${MAX_STORMS}`,
    where.values,
  );
  await queryRows(connection, `DELETE FROM ${HALVES} ${where.sql}`, where.values);
}
