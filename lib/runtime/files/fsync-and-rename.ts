/**
 * Makes files durable, so that they survive a power failure. A rename is durable only when the folder that holds the
 * name is on disk too; on Windows folders cannot be opened, and the system writes them by itself.
 */

import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';

export async function fsyncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Renames a file whose bytes are on disk: rename, fsync of the folder. */
export async function renameDurably(temporary: string, file: string): Promise<void> {
  await rename(temporary, file);
  await fsyncFolder(path.dirname(file));
}

/** Replaces `file` by a finished temporary file: fsync, rename, fsync of the folder. */
export async function commitFile(temporary: string, file: string): Promise<void> {
  const handle = await open(temporary, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await renameDurably(temporary, file);
}

/** The synchronous forms, for callers that must not yield. */
export const fsyncNow = (file: string): void => flush(file, 'r+');

export function fsyncFolderNow(folder: string): void {
  if (process.platform !== 'win32') flush(folder, 'r');
}

export function commitFileNow(temporary: string, file: string): void {
  fsyncNow(temporary);
  renameSync(temporary, file);
  fsyncFolderNow(path.dirname(file));
}

function flush(place: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(/* turbopackIgnore: true */ place, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
