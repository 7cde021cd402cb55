import type { Connection } from '@/lib/snapshots/query/duckdb';

/**
 * What a question kept on its connection, which is another one's afterwards. An interrupt that was meant for the
 * question may end this statement, so it is asked twice; whatever becomes of it, the question's own outcome stands.
 */
export async function dropTables(connection: Connection, tables: readonly string[]): Promise<void> {
  const drop = () => connection.run(tables.map((table) => `DROP TABLE IF EXISTS ${table}`).join('; '));
  await drop().catch(() => drop().catch(() => undefined));
}
