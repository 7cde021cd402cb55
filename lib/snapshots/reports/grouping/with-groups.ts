import { type Connection, queryRows, type SqlValue } from '@/lib/snapshots/query/duckdb';
import type { Source } from '@/lib/snapshots/query/with-source';

const GROUPS = 'asked_groups';

/**
 * Computes several things about the same keys in one pass over them: the groups of `select` are kept in a temporary
 * table while `use` queries it. There must be few groups, because they are in memory. Calls must not be nested.
 */
export async function withGroups<T>(
  { connection }: Pick<Source, 'connection'>,
  select: string,
  values: readonly SqlValue[],
  use: (from: string) => Promise<T>,
): Promise<T> {
  await queryRows(connection, `CREATE OR REPLACE TEMP TABLE ${GROUPS} AS ${select}`, values);
  try {
    return await use(GROUPS);
  } finally {
    await dropTables(connection, [GROUPS]);
  }
}

/**
 * Drops the tables that a query kept on its connection, which another query uses next. An interrupt that was meant for
 * the query may end this statement, so it is tried twice. Failures are ignored, so that the query's own result or error
 * remains.
 */
export async function dropTables(connection: Connection, tables: readonly string[]): Promise<void> {
  const drop = () => connection.run(tables.map((table) => `DROP TABLE IF EXISTS ${table}`).join('; '));
  await drop().catch(() => drop().catch(() => undefined));
}
