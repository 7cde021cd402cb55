import { runWithoutDeadline } from '@/lib/store/engines/query-deadline';
import { migrate } from '@/lib/store/migrate';
import { getDb } from '@/lib/store/open-store';
import { copyTables, type RowsOfTables } from './copy-tables';
import { leaveWalMode, openStoreFile } from './open-store-file';

/**
 * Copies PostgreSQL as it is at one moment into a new file, an embedded database, while other processes may write: all
 * tables are read in one transaction that sees one snapshot. So a backup has the same form for both databases.
 */
export async function copyFromPostgres(file: string): Promise<RowsOfTables> {
  const source = await getDb(undefined);
  return runWithoutDeadline(async () => {
    const target = openStoreFile(file);
    try {
      await migrate(target);
      const rows = await source
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((from) => target.transaction().execute((to) => copyTables(from, to, () => {})));
      await leaveWalMode(target);
      return rows;
    } finally {
      await target.destroy();
    }
  });
}
