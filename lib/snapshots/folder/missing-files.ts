import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/model/errors';

/** Of these files of a snapshot, those that are not here. One look into the folder: there may be a thousand files. */
export async function missingFilesOf(dir: string, files: readonly string[]): Promise<string[]> {
  const listed = await readdir(dir).catch(() => null);
  // A folder that cannot be listed may still hold them.
  const there = new Set(listed ?? (await thereOf(dir, files)));
  return files.filter((file) => !there.has(file));
}

async function thereOf(dir: string, files: readonly string[]): Promise<string[]> {
  const found = files.map((file) =>
    access(path.join(dir, file)).then(
      () => [file],
      () => [],
    ),
  );
  return (await Promise.all(found)).flat();
}

/**
 * An error of a question that stands on these files, with those of them that are not here: whoever can bring files
 * brings the ones that this question needs.
 */
export async function withMissingFiles(error: unknown, dir: string, files: readonly string[]): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'snapshot_unreadable' || missingSaidBy(error)) return error;
  const missing = await missingFilesOf(dir, files);
  return new AppError(error.code, error.message, { ...error.details, missing }, { cause: error.cause });
}

/** What a question meets when files go away under it. */
export const filesAreGone = (error: unknown): boolean =>
  error instanceof AppError
    ? error.code === 'snapshot_unreadable'
    : (error as NodeJS.ErrnoException | null)?.code === 'ENOENT';

/** undefined: the error does not tell. */
export function missingSaidBy(error: unknown): readonly string[] | undefined {
  const missing = error instanceof AppError ? error.details.missing : undefined;
  return Array.isArray(missing) ? missing : undefined;
}
