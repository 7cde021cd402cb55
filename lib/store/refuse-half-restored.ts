import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';

/**
 * A file in the data folder that exists from before the first restored file until after the last one. It contains the
 * id of the restore.
 */
export const RESTORING_FILE = 'restore-unfinished';

export const getRestoringFile = (): string => join(config.dataDir, RESTORING_FILE);

/**
 * Throws AppError('data_folder') if a restore is unfinished. A server would otherwise start with an empty store and
 * remove the files whose rows are not restored yet.
 */
export function refuseHalfRestored(): void {
  const file = getRestoringFile();
  if (!existsSync(/* turbopackIgnore: true */ file)) return;
  throw new AppError(
    'data_folder',
    `A backup is being restored into ${config.dataDir}, or the restore was interrupted. Run the same command again to continue: colonnade restore DIR`,
    { folder: config.dataDir, cause: RESTORING_FILE },
  );
}
