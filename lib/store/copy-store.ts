import { chmodSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '@/lib/model/errors';
import { listKnownMigrations } from './migrate';
import { getDb, getStoreFile } from './open-store';

/** Copies the embedded database as it is at one moment into a new file, while other connections may write. */
export async function copyStore(file: string): Promise<void> {
  await getDb(undefined);
  // A separate connection, so that an error of the copy's disk is not taken for an error of the database.
  const db = new Database(getStoreFile(), { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    db.prepare('vacuum into ?').run(file);
  } finally {
    db.close();
  }
  chmodSync(file, 0o600);
}

/** Throws if a file is damaged, is not a store, or was written by another version. */
export function checkStoreCopy(file: string): void {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const [sound] = db.pragma('integrity_check(1)') as { integrity_check: string }[];
    if (sound?.integrity_check !== 'ok') throw new Error('damaged');
    const names = db.prepare('select name from migrations').pluck().all() as string[];
    const unknown = names.find((name) => !listKnownMigrations().includes(name));
    if (unknown)
      throw new AppError(
        'data_folder',
        `The backup was made by another version of Colonnade (${unknown}). Restore it with that version.`,
        { cause: unknown },
      );
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('data_folder', `${file} is damaged or no database of Colonnade. Use another backup.`, {
      cause: 'damaged',
    });
  } finally {
    db.close();
  }
}
