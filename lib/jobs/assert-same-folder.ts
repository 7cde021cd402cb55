import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';
import { makeFolder } from '@/lib/runtime/files/make-folder';
import { runTransaction } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';

const FOLDER_ID_SETTING = 'data_folder';
const FOLDER_ID_FILE = 'colonnade.id';
const FOLDER_ID = /^[0-9a-f]{16}$/;

/**
 * Throws `data_folder` if the database belongs to another data folder. All processes on one PostgreSQL share the data
 * folder with its snapshots and archives. The database and a small file in the folder hold the same id. A process with
 * another folder would miss what the others wrote, and delete what it does not know. The embedded database is in its
 * own folder and needs no such check.
 */
export async function assertSameFolder(): Promise<void> {
  if (config.databaseUrl === null) return;
  const file = join(config.dataDir, FOLDER_ID_FILE);
  await runTransaction(async (tx) => {
    const storedId = await getSetting(FOLDER_ID_SETTING, tx);
    const fileId = readId(file);
    if (storedId !== null && storedId === fileId) return;
    if (storedId === null) return setSetting(FOLDER_ID_SETTING, fileId ?? createId(file), tx);
    throw new AppError(
      'data_folder',
      fileId === null
        ? `The database of COLONNADE_DATABASE_URL belongs to another data folder: in ${config.dataDir} there is no ${FOLDER_ID_FILE}. Mount the folder that all processes share and set COLONNADE_DATA to it. If it is that folder and lost the file, write ${storedId} into ${file}.`
        : `The database of COLONNADE_DATABASE_URL belongs to another data folder: ${file} holds ${fileId}, the database knows ${storedId}. Mount the folder that all processes share and set COLONNADE_DATA to it, or name the database of this folder.`,
      { folder: config.dataDir, cause: 'other folder' },
    );
  });
}

/** Returns the id in the file; null: there is no file. */
function readId(file: string): string | null {
  if (!existsSync(/* turbopackIgnore: true */ file)) return null;
  const text = readFileSync(/* turbopackIgnore: true */ file, 'utf8').trim();
  if (FOLDER_ID.test(text)) return text;
  throw new AppError('data_folder', `${file} was not written by Colonnade. Restore it from a backup.`, {
    folder: config.dataDir,
    cause: 'unreadable',
  });
}

/**
 * Creates the file with a new id, complete or not at all. If two processes do so, the first one wins. Returns the id.
 */
function createId(file: string): string {
  makeFolder(config.dataDir);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(/* turbopackIgnore: true */ draft, `${randomBytes(8).toString('hex')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readId(file) as string;
}
