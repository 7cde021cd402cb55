/** Archives of deleted keys are in one folder per deletion below the data folder, in files with generated names. */

import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const FILE = /^([A-Za-z0-9_-]{1,64})\/([a-z0-9-]{1,80}\.arc)$/;

export const getArchivesFolder = (): string => join(config.dataDir, 'archives');

/** Returns a new name, `deletion/part-random.arc`, relative to the folder of archives. Nothing is created. */
export function generateArchiveName(deletionId: string, part: string | number): string {
  if (!ID.test(deletionId)) throw new AppError('bad_request', 'This is not the id of a deletion.');
  return `${deletionId}/${part}-${randomBytes(6).toString('hex')}.arc`;
}

/** Returns the path of a named archive. Throws `bad_request` for anything that is not such a name. */
export function resolveArchivePath(file: string): { folder: string; path: string } {
  const found = FILE.exec(file);
  if (!found) throw new AppError('bad_request', 'This is not the name of an archive.');
  const folder = join(getArchivesFolder(), found[1] ?? '');
  return { folder, path: join(folder, found[2] ?? '') };
}

export async function listArchives(deletionId: string): Promise<{ file: string; bytes: number; writtenAt: number }[]> {
  if (!ID.test(deletionId)) return [];
  const folder = join(getArchivesFolder(), deletionId);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.filter((name) => name.endsWith('.arc')).sort();
  return Promise.all(
    files.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name));
      return { file: `${deletionId}/${name}`, bytes: size, writtenAt: mtimeMs };
    }),
  );
}

/** Deletes the archives of a deletion after its retention: nothing of it can be restored any more. */
export async function removeArchives(deletionId: string): Promise<void> {
  if (!ID.test(deletionId)) return;
  await rm(join(getArchivesFolder(), deletionId), { recursive: true, force: true });
}
