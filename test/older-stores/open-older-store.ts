import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { config } from '@/lib/config';
import { COPIED_TABLES } from '@/lib/store/move/tables-in-order';
import { type Store, storeFile } from '@/lib/store/open-store';
import { forgetVaultKeys } from '@/lib/vault/vault-key';
import { storeUpTo } from '../store-up-to';

/**
 * Stores that the code of older versions has written, with its own verbs: two instances (one with a password), a job, a
 * snapshot, policies, a deletion with items, people with a session, an API token, a saved view, as far as there were
 * any then. Each file is named after the newest step of migration it knew.
 */
interface OlderStore {
  /** Of `vault.key`. */
  key: string;
  /** The instance with a password. */
  instance: string;
  /** The token of ada's session; null: nobody signed in then. */
  session: string | null;
  /** Ada's API token. */
  token: string | null;
  /** The file of the embedded database, gzip, base64. */
  database: string;
}
const folder = import.meta.dirname;
export const olderStores = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5));

type Row = Record<string, unknown>;
export interface Placed extends OlderStore {
  /** Its rows by table, as that version left them. */
  rows: Record<string, Row[]>;
}

/** Puts it where the store will be opened; on PostgreSQL the same rows, into the tables of that time. */
export async function placeOlderStore(step: string): Promise<Placed> {
  const older = JSON.parse(readFileSync(join(folder, `${step}.json`), 'utf8')) as OlderStore;
  writeFileSync(join(config.dataDir, 'vault.key'), `${older.key}\n`, { mode: 0o600 });
  forgetVaultKeys();
  writeFileSync(storeFile(), gunzipSync(Buffer.from(older.database, 'base64')), { mode: 0o600 });
  const raw = new Database(storeFile(), { readonly: true });
  const names = raw.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[];
  const tables = COPIED_TABLES.filter((name) => names.includes(name));
  const rows = Object.fromEntries(tables.map((name) => [name, raw.prepare(`select * from ${name}`).all() as Row[]]));
  raw.close();
  if (config.databaseUrl !== null) {
    rmSync(storeFile());
    await storeUpTo(step, (db) => fill(db, tables, rows));
  }
  return { ...older, rows };
}

async function fill(db: Store, tables: (typeof COPIED_TABLES)[number][], rows: Placed['rows']): Promise<void> {
  for (const table of tables)
    for (const row of rows[table] ?? [])
      await db
        .insertInto(table)
        .values(row as never)
        .execute();
}
