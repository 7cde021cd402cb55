import type { Kysely } from 'kysely';
import type { Tables } from '@/lib/store/tables';
import { copiedTablesIn, copyTables, type RowsOfTables } from './copy-tables';
import { makeOneFile, openStoreFile } from './store-in-file';

/**
 * PostgreSQL as it is at one moment, into the file of an embedded database, while others go on writing: all tables are
 * read in one transaction that sees one snapshot. `makeTables`: of the version that `source` is of.
 */
export async function fillFromPostgres(
  file: string,
  source: Kysely<Tables>,
  makeTables: (target: Kysely<Tables>) => Promise<void>,
): Promise<RowsOfTables> {
  const target = openStoreFile(file);
  try {
    await makeTables(target);
    const rows = await source
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (from) => {
        const tables = await copiedTablesIn(from);
        return target.transaction().execute((to) => copyTables(from, to, () => {}, tables));
      });
    await makeOneFile(target);
    return rows;
  } finally {
    await target.destroy();
  }
}
