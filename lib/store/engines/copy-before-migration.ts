import { closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { commitFileNow } from '@/lib/files/fsync-now';
import { isDiskFull } from '@/lib/files/is-disk-full';
import { makeFolder } from '@/lib/files/make-folder';
import { AppError } from '@/lib/model/errors';

/** In the data folder; for its owner only, as the database is. */
export const COPIES_FOLDER = 'before-migration';
const COPIES_KEPT = 3;
const DRAFT = '.draft';
/** The draft, and the journal of SQLite beside it. */
const LEFT = /^colonnade-.*\.draft(-\w+)?$/;
const OF_PLACE = /^(E[A-Z]+|SQLITE_(CANTOPEN|IOERR|READONLY|PERM|BUSY))/;
const COPY = /^colonnade-[0-9]+-[0-9]+-([0-9]{8}T[0-9]{9}Z)\.db$/;

/**
 * The control database as it is before its next migration, whole and synced under its name in `dataDir` or not there at
 * all. Called by whoever migrates, one at a time. `from`, `to`: names of the last step that is done and of the last
 * that is due. `fill` writes it into a file that is there and empty.
 */
export async function copyBeforeMigration(
  dataDir: string,
  { from, to }: { from: string; to: string },
  fill: (draft: string) => void | Promise<void>,
): Promise<string> {
  const folder = join(dataDir, COPIES_FOLDER);
  const name = `colonnade-${numberOf(from)}-${numberOf(to)}-${new Date().toISOString().replace(/[-:.]/g, '')}.db`;
  const copy = join(folder, name);
  const draft = `${copy}${DRAFT}`;
  try {
    makeFolder(folder);
    // Of a start that was killed: whoever else copies would hold the lock.
    removeDrafts(folder);
    closeSync(openSync(draft, 'wx', 0o600));
    await fill(draft);
    commitFileNow(draft, copy);
  } catch (error) {
    removeDrafts(folder);
    removeQuietly(copy);
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

function removeDrafts(folder: string): void {
  try {
    for (const left of readdirSync(folder)) if (LEFT.test(left)) removeQuietly(join(folder, left));
  } catch {
    // There is no folder to look into.
  }
}

const numberOf = (step: string): string => step.split('-')[0] ?? step;

/** Of the place of the copy; what the database itself refused is said as it is. */
function refusal(error: unknown, folder: string): unknown {
  const known = error instanceof AppError ? error : null;
  const cause = String((error as { code?: unknown } | null)?.code ?? 'unknown');
  if (known?.code === 'disk_full' || isDiskFull(known?.code === 'store_read_only' ? known.cause : error))
    return new AppError(
      'disk_full',
      `The disk has no room for the copy of the database that is kept in ${folder} before a migration. Nothing was migrated. Free space and start again.`,
      { folder },
      { cause: error },
    );
  const isOfPlace = known ? ['data_folder', 'store_read_only'].includes(known.code) : OF_PLACE.test(cause);
  if (!isOfPlace) return error;
  return new AppError(
    'data_folder',
    `The copy of the database that is kept before a migration cannot be written to ${folder} (${cause}). Nothing was migrated. Give this user read and write rights to it and start again.`,
    { folder, cause },
    { cause: error },
  );
}
