import { open, rename } from 'node:fs/promises';
import path from 'node:path';

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
