import { randomBytes } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';
import { commitFile } from '@/lib/runtime/files/fsync-and-rename';
import { isDiskFull } from '@/lib/runtime/files/is-disk-full';

/**
 * Writes a file so that it is either complete on disk or not there. Errors: `disk_full`, `data_folder` (see
 * `toDiskError`).
 */
export async function writeFileDurably(file: string, text: string): Promise<void> {
  // Two calls in this process may write the same file at the same time.
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
    throw await toDiskError(error, path.dirname(file));
  }
}

/** Error codes of a folder that cannot be written: permissions, a read-only mount, a disk that fails. */
const REFUSALS = new Set(['EACCES', 'EPERM', 'EROFS', 'EIO']);

/**
 * Turns the error of a failed write into `disk_full` or `data_folder` if that is its cause. Returns other errors
 * unchanged.
 */
export async function toDiskError(error: unknown, folder: string): Promise<unknown> {
  if (error instanceof AppError) return error;
  if (!isDiskFull(error)) return toWriteRefusal(error, folder) ?? error;
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

function toWriteRefusal(error: unknown, folder: string): AppError | null {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === undefined || !REFUSALS.has(code)) return null;
  const advice = code === 'EIO' ? 'The disk fails: see the log of the system' : 'Let the user of Colonnade write there';
  return new AppError(
    'data_folder',
    `${folder} cannot be written (${code}). ${advice}, then continue: nothing that was read is lost.`,
    { cause: code },
    { cause: error },
  );
}
