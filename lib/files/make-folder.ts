import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';

/**
 * A folder for us alone, and those above it that are missing, one by one: where the system makes none (/proc), Node's
 * own way tries for ever. Errors: `bad_request`.
 */
export async function makeFolder(dir: string): Promise<void> {
  const found = await stat(dir).catch(() => null);
  if (found?.isDirectory()) return;
  if (found) throw new AppError('bad_request', `${dir} is a file. Name a folder.`);
  const above = path.dirname(dir);
  if (above !== dir) await makeFolder(above);
  await mkdir(dir, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Somebody else was faster.
    if (error.code === 'EEXIST') return;
    throw new AppError('bad_request', `The folder ${dir} cannot be made (${error.code}). Name another.`);
  });
}
