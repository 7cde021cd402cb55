import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertKnownKey } from '@/lib/maintenance/keys/assert-known-key';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';

/** Whether there is a database: PostgreSQL is configured, or the data folder has an embedded one. */
export const hasDatabase = () => config.databaseUrl !== null || existsSync(join(config.dataDir, 'colonnade.db'));

/**
 * Commands that only read use this: opening a missing database would create one, and an empty one gives wrong answers.
 */
export function requireDatabase(): void {
  if (hasDatabase()) return;
  throw new AppError(
    'not_found',
    `There is no database in ${config.dataDir}. Set COLONNADE_DATA to the data folder of the server.`,
  );
}

/** Commands that write to the audit log use this: a row under another key than the server's would be invalid. */
export async function requireKey(): Promise<void> {
  if (hasDatabase()) await assertKnownKey();
}
