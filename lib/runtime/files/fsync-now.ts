import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import path from 'node:path';

/** Synchronous forms of fsync-and-rename.ts, for callers that must not yield: the data is on disk on return. */
export const fsyncNow = (file: string): void => flush(file, 'r+');

/** Where folders cannot be opened (Windows), the system sees to it. */
export function fsyncFolderNow(folder: string): void {
  if (process.platform !== 'win32') flush(folder, 'r');
}

/** Makes a finished draft the file: fsync, rename, fsync of the folder. */
export function commitFileNow(draft: string, file: string): void {
  fsyncNow(draft);
  renameSync(draft, file);
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
