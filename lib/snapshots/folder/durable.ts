import { randomBytes } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { commitFile } from '@/lib/files/durable';
import { isDiskFull } from '@/lib/files/is-disk-full';
import { AppError } from '@/lib/model/errors';

/** Whole or not at all. */
export async function writeFileDurably(file: string, text: string): Promise<void> {
  // Two of this process may write it at once.
  const temporary = `${file}.${process.pid}${randomBytes(4).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    await commitFile(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw await diskError(error, path.dirname(file));
  }
}

/** What a folder answers that does not take files: permissions, a read-only mount, a disk that fails. */
const REFUSALS = new Set(['EACCES', 'EPERM', 'EROFS', 'EIO']);

/** Says "the disk is full", or that it refuses, where that is what a failed write means; other errors pass. */
export async function diskError(error: unknown, folder: string): Promise<unknown> {
  if (error instanceof AppError) return error;
  if (!isDiskFull(error)) return refusal(error, folder) ?? error;
  const free = await statfs(folder).then(
    (s) => s.bavail * s.bsize,
    () => null,
  );
  return new AppError(
    'disk_full',
    'The disk that holds the snapshots is full. Make room (docs/OPERATIONS.md says how much sealing needs for a while), then continue: nothing that was read is lost.',
    { freeBytes: free },
    { cause: error },
  );
}

function refusal(error: unknown, folder: string): AppError | null {
  const cause = (error as NodeJS.ErrnoException | null)?.code;
  if (cause === undefined || !REFUSALS.has(cause)) return null;
  const mend = cause === 'EIO' ? 'The disk fails: see the log of the system' : 'Let the user of Colonnade write there';
  return new AppError(
    'data_folder',
    `${folder} cannot be written (${cause}). ${mend}, then continue: nothing that was read is lost.`,
    { cause },
    { cause: error },
  );
}
