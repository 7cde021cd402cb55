import { config } from '@/lib/config';
import { parsePostgresUrl } from '@/lib/store/engines/postgres-url';
import { migrateWithin } from '@/lib/store/migrate';
import { openMoveTarget } from '@/lib/store/move/open-move-target';
import { openStoreFile } from '@/lib/store/move/store-in-file';
import { type Store, storeFile } from '@/lib/store/open-store';

/** The control database with the tables of an older version: `last` is the newest step that it knew. */
export async function storeUpTo(last: string, fill: (db: Store) => Promise<void>): Promise<void> {
  const address = config.databaseUrl && parsePostgresUrl(config.databaseUrl.reveal());
  const db = address ? openMoveTarget(address) : openStoreFile(storeFile());
  try {
    await db.transaction().execute((tx) => migrateWithin(tx, address?.schema ?? null, { last }));
    await fill(db);
  } finally {
    await db.destroy();
  }
}
