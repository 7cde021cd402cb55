import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '@/lib/config';
import { AppError } from '@/lib/model/errors';

/** In the data folder from before the first restored file to after the last one; holds the id of that restore. */
export const RESTORING_FILE = 'restore-unfinished';

export const restoringFile = (): string => join(config.dataDir, RESTORING_FILE);

/** A server would begin anew there, and remove the files whose rows have not come yet. */
export function refuseHalfRestored(): void {
  const file = restoringFile();
  if (!existsSync(/* turbopackIgnore: true */ file)) return;
  throw new AppError(
    'data_folder',
    `A backup is being restored into ${config.dataDir}, or the restore was interrupted. Run the same command again to continue: colonnade restore DIR`,
    { folder: config.dataDir, cause: RESTORING_FILE },
  );
}
