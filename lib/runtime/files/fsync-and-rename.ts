import { open, rename } from 'node:fs/promises';
import path from 'node:path';

/**
 * A rename is durable only once the folder that holds the name is on disk too. Where folders cannot be opened
 * (Windows), the system sees to it.
 */
export async function fsyncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives its name to a file whose bytes are on disk: rename, fsync of the folder. */
export async function renameDurably(temporary: string, file: string): Promise<void> {
  await rename(temporary, file);
  await fsyncFolder(path.dirname(file));
}

/** Makes a finished temporary file the file: fsync, rename, fsync of the folder. */
export async function commitFile(temporary: string, file: string): Promise<void> {
  const handle = await open(temporary, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await renameDurably(temporary, file);
}
