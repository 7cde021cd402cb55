import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates a folder that only this user can read, and the missing folders above it, one by one: the recursive mode of
 * Node never returns where the system creates none (/proc). Errors: those of the system; EEXIST if a file has that
 * name.
 */
export function makeFolder(dir: string): void {
  const isFolder = () => statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder()) return;
  const above = path.dirname(dir);
  if (above !== dir) makeFolder(above);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder()) throw error;
  }
}
