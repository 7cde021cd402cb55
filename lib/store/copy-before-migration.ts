import { closeSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { fsyncNow } from '@/lib/files/fsync-now';
import { isDiskFull } from '@/lib/files/is-disk-full';
import { makeFolder } from '@/lib/files/make-folder';
import { AppError } from '@/lib/model/errors';

/** Beside the database; for its owner only, as the database is. */
export const COPIES_FOLDER = 'before-migration';
const COPIES_KEPT = 3;
const DRAFT = '.draft';
const COPY = /^colonnade-[0-9]+-[0-9]+-([0-9]{8}T[0-9]{9}Z)\.db$/;

/**
 * The embedded database `file` as it is before its next migration, whole and synced under its name or not there at
 * all. Called with the write lock held: a connection of its own reads what was committed before, and nobody adds to it.
 * `from`, `to`: names of the last step that is done and of the last that is due.
 */
export function copyBeforeMigration(file: string, from: string, to: string): string {
  const folder = join(dirname(file), COPIES_FOLDER);
  const name = `colonnade-${numberOf(from)}-${numberOf(to)}-${new Date().toISOString().replace(/[-:.]/g, '')}.db`;
  const copy = join(folder, name);
  const draft = `${copy}${DRAFT}`;
  try {
    makeFolder(folder);
    // Of a start that was killed: whoever else copies would hold the lock.
    for (const left of readdirSync(folder)) if (left.endsWith(DRAFT)) rmSync(join(folder, left));
    // Made before SQLite fills it, which takes an empty file as it is.
    closeSync(openSync(draft, 'wx', 0o600));
    const db = new Database(file, { readonly: true, fileMustExist: true });
    try {
      db.prepare('vacuum into ?').run(draft);
    } finally {
      db.close();
    }
    fsyncNow(draft);
    renameSync(draft, copy);
    fsyncNow(folder);
  } catch (error) {
    for (const left of [draft, copy]) removeQuietly(left);
    throw refusal(error, folder);
  }
  return copy;
}

/** All but the newest; `made` stays also when the clock was set back. What has another name is somebody else's. */
export function removeOldCopies(made: string): void {
  const folder = dirname(made);
  const others = readdirSync(folder).filter((name) => COPY.test(name) && name !== basename(made));
  const timeOf = (name: string) => COPY.exec(name)?.[1] ?? '';
  others.sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
  for (const name of others.slice(COPIES_KEPT - 1)) removeQuietly(join(folder, name));
}

export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It takes room and does no harm; the next start tries again.
  }
}

const numberOf = (step: string): string => step.split('-')[0] ?? step;

function refusal(error: unknown, folder: string): AppError {
  const cause = String((error as { code?: unknown } | null)?.code ?? 'unknown');
  if (isDiskFull(error))
    return new AppError(
      'disk_full',
      `The disk has no room for the copy of the database that is kept in ${folder} before a migration. Nothing was migrated. Free space and start again.`,
      { folder },
      { cause: error },
    );
  return new AppError(
    'data_folder',
    `The copy of the database that is kept before a migration cannot be written to ${folder} (${cause}). Nothing was migrated. Give this user read and write rights to it and start again.`,
    { folder, cause },
    { cause: error },
  );
}
