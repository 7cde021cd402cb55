import { queryRows, type SqlValue } from '@/lib/snapshots/query/duckdb';
import type { Source } from '@/lib/snapshots/query/with-source';
import { dropTables } from './drop-tables';

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
