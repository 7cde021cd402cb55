import { open, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';

/** A rename is durable only once the folder that holds the name is on disk too. */
export async function fsyncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a finished temporary file the file: fsync, rename, fsync of the folder. */
export async function commitFile(temporary: string, file: string): Promise<void> {
  const handle = await open(temporary, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await fsyncFolder(path.dirname(file));
}

/** Whole or not at all. */
export async function writeFileDurably(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    await fsyncFolder(path.dirname(file));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw await diskError(error, path.dirname(file));
  }
}

/** Says "the disk is full" where that is what a failed write means; other errors pass. */
export async function diskError(error: unknown, folder: string): Promise<unknown> {
  if (error instanceof AppError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const text = error instanceof Error ? error.message : String(error);
  const full =
    code === 'ENOSPC' || code === 'EDQUOT' || /no space left|disk quota exceeded|max_temp_directory_size/i.test(text);
  if (!full) return error;
  const free = await statfs(folder).then(
    (s) => s.bavail * s.bsize,
    () => null,
  );
  return new AppError(
    'disk_full',
    'The disk that holds the snapshots is full. Make room (sealing needs about 220 bytes per key for a while), then continue: nothing that was read is lost.',
    { freeBytes: free },
    { cause: error },
  );
}
