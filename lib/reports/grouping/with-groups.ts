import { queryRows, type SqlValue } from '@/lib/snapshots/query/duckdb';
import type { Source } from '@/lib/snapshots/query/with-source';
import { dropTables } from './drop-tables';

const GROUPS = 'asked_groups';

/**
 * Several questions about the same keys as one pass over them: what `select` groups is kept while `use` asks it. There
 * must be few groups, whatever the keys are: they lie in memory. Not to be nested.
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
