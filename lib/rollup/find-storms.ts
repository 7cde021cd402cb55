import { prefixSql } from '@/lib/key-query/prefix-sql';
import { Where } from '@/lib/key-query/where-clause';
import { TEMPLATE_DELIMITER } from '@/lib/snapshots/query/columns';
import { type Connection, queryRows } from '@/lib/snapshots/query/duckdb';
import { halvesSql, STORM_KEYS, STORM_TIMES, stormsOfHalvesSql } from './storm-sql';

/**
 * The storms of a snapshot, file after file. A prefix is judged when no later file can hold more of it: names come in
 * order, and prefixes of one first segment lie together. Kept meanwhile: minutes of the prefixes that are not over.
 */
const HALVES = 'rollup_halves';
const STORMS = 'rollup_storms';
/** Of one prefix; the report shows the largest of all. */
const MAX_STORMS = 50;

/** @param files Sub-selects in brackets with the columns of keys, in the order of names. */
export async function findStorms(
  connection: Connection,
  files: readonly string[],
  asOf: number,
  write: (select: string) => Promise<unknown>,
): Promise<void> {
  try {
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${HALVES} (prefix VARCHAR, half BIGINT, keys BIGINT, bytes DOUBLE)`,
    );
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${STORMS} (prefix VARCHAR, minute DOUBLE, keys BIGINT, bytes DOUBLE, expected DOUBLE)`,
    );
    for (const [index, file] of files.entries()) {
      const where = new Where();
      where.and(`expire_at > ${asOf}`);
      const prefix = prefixSql(where, TEMPLATE_DELIMITER);
      await queryRows(connection, `INSERT INTO ${HALVES} ${halvesSql(file, where.sql, prefix)}`, where.values);
      const [last] = await queryRows<{ name: string | null }>(connection, `SELECT max(name) AS name FROM ${file}`);
      await judge(connection, index === files.length - 1 ? null : (last?.name ?? ''));
    }
    await write(`SELECT * FROM ${STORMS} ORDER BY prefix, minute`);
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${HALVES}`);
    await connection.run(`DROP TABLE IF EXISTS ${STORMS}`);
  }
}

/** Names up to `last` have been seen; null: all of them. */
async function judge(connection: Connection, last: string | null): Promise<void> {
  const where = new Where();
  // A prefix without a delimiter before it holds names from everywhere.
  if (last !== null)
    where.and(`prefix <> '' AND split_part(prefix, ':', 1) <> ${where.bind(last.split(':')[0]!)}::VARCHAR`);
  const min = { keys: `${STORM_KEYS}`, times: `${STORM_TIMES}` };
  await queryRows(
    connection,
    `INSERT INTO ${STORMS}
     WITH halves AS (SELECT prefix, half, sum(keys)::BIGINT AS keys, sum(bytes) AS bytes FROM ${HALVES} ${where.sql} GROUP BY 1, 2),
       ${stormsOfHalvesSql(min)}
     SELECT prefix, minute, keys, bytes, expected FROM storms
     QUALIFY row_number() OVER (PARTITION BY prefix ORDER BY keys DESC, minute) <= ${MAX_STORMS}`,
    where.values,
  );
  await queryRows(connection, `DELETE FROM ${HALVES} ${where.sql}`, where.values);
}
