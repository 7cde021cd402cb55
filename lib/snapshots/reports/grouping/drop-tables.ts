import type { Connection } from '@/lib/snapshots/query/duckdb';

/**
 * Drops the tables that a query kept on its connection, which another query uses next. An interrupt that was meant for
 * the query may end this statement, so it is tried twice. Failures are ignored, so that the query's own result or error
 * remains.
 */
export async function dropTables(connection: Connection, tables: readonly string[]): Promise<void> {
  const drop = () => connection.run(tables.map((table) => `DROP TABLE IF EXISTS ${table}`).join('; '));
  await drop().catch(() => drop().catch(() => undefined));
}
