import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * A folder for us alone, and those above it that are missing, one by one: where the system makes none (/proc), Node's
 * own way tries for ever. Errors: those of the system; EEXIST where a file stands.
 */
export function makeFolder(dir: string): void {
  const isFolder = () => statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder()) return;
  const above = path.dirname(dir);
  if (above !== dir) makeFolder(above);
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Somebody else was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder()) throw error;
  }
}
