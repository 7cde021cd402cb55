import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';

/**
 * Returns those of `files` that the folder does not have. The folder is listed once, because there may be a thousand
 * files.
 */
export async function findMissingFiles(dir: string, files: readonly string[]): Promise<string[]> {
  const listed = await readdir(dir).catch(() => null);
  if (listed !== null) {
    const present = new Set(listed);
    return files.filter((file) => !present.has(file));
  }
  // A folder that cannot be listed may still hold the files, so each one is tried.
  const isHere = await Promise.all(files.map((file) => hasFile(path.join(dir, file))));
  return files.filter((_, index) => !isHere[index]);
}

export const hasFile = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * Adds the missing files to a `snapshot_unreadable` error of a query that reads these files, so that the caller can
 * fetch exactly the files that this query needs. Other errors are returned unchanged.
 */
export async function withMissingFiles(error: unknown, dir: string, files: readonly string[]): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'snapshot_unreadable' || getMissingFiles(error)) return error;
  const missing = await findMissingFiles(dir, files);
  return new AppError(error.code, error.message, { ...error.details, missing }, { cause: error.cause });
}

/** Whether an error means that files disappeared while a query read them. */
export const isMissingFilesError = (error: unknown): boolean =>
  error instanceof AppError
    ? error.code === 'snapshot_unreadable'
    : (error as NodeJS.ErrnoException | null)?.code === 'ENOENT';

/** Returns the missing files that an error names. undefined: it names none. */
export function getMissingFiles(error: unknown): readonly string[] | undefined {
  const missing = error instanceof AppError ? error.details.missing : undefined;
  return Array.isArray(missing) ? missing : undefined;
}
