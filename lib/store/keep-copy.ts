import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { config } from '@/lib/config';
import { log } from '@/lib/log';
import { copyBeforeMigration } from './engines/copy-before-migration';
import { fillFromPostgres } from './move/fill-from-postgres';
import type { Tables } from './tables';

interface Steps {
  from: string;
  to: string;
}

/**
 * Of an embedded database, called with its write lock held: a connection of its own reads what was committed before,
 * and nobody adds to it. null: a database in memory, which has nothing to go back to.
 */
export async function copyOfFile(tx: Kysely<Tables>, steps: Steps): Promise<string | null> {
  const { rows } = await sql<{ name: string; file: string }>`pragma database_list`.execute(tx);
  const file = rows.find(({ name }) => name === 'main')?.file;
  if (!file) return null;
  return noted(steps, dirname(file), (draft) => {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    try {
      db.prepare('vacuum into ?').run(draft);
    } finally {
      db.close();
    }
  });
}

/**
 * Of PostgreSQL, as an embedded database of the same version, in the data folder of the process that migrates. `tx`
 * holds the lock of migrations and only waits meanwhile; another connection reads, so the copy is of one moment. What a
 * process of the older version writes between that and the migration is not in it.
 */
export async function copyOfPostgres(
  db: Kysely<Tables>,
  tx: Kysely<Tables>,
  steps: Steps,
  makeTables: (target: Kysely<Tables>) => Promise<void>,
): Promise<string> {
  await sql`select set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx);
  return noted(steps, config.dataDir, async (draft) => {
    await fillFromPostgres(draft, db, makeTables);
  });
}

async function noted(steps: Steps, dataDir: string, fill: (draft: string) => void | Promise<void>): Promise<string> {
  const copy = await copyBeforeMigration(dataDir, steps, fill);
  log().info({ copy, ...steps }, 'store.copied_before_migration');
  return copy;
}
