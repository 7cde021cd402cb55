import { queryRows, type SqlValue } from '@/lib/snapshots/query/duckdb';
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
    // The connection is used by another query next. An interrupt that was meant for this one may end this statement, so
    // it is tried twice. Failures are ignored, so that the query's own result or error remains.
    const drop = () => connection.run(`DROP TABLE IF EXISTS ${GROUPS}`);
    await drop().catch(() => drop().catch(() => undefined));
  }
}
