import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '@/lib/config';
import { assertKnownKey } from '@/lib/keys/assert-known-key';
import { AppError } from '@/lib/model/errors';

/** Whether a server keeps its database in the data folder, or in PostgreSQL. */
export const hasDatabase = () => config.databaseUrl !== null || existsSync(join(config.dataDir, 'colonnade.db'));

/** For commands that ask: opening a database makes one, and of an empty one every answer would be wrong. */
export function requireDatabase(): void {
  if (hasDatabase()) return;
  throw new AppError(
    'not_found',
    `There is no database in ${config.dataDir}. Set COLONNADE_DATA to the data folder of the server.`,
  );
}

/** For commands that leave a row in the audit log: under another key than the server's it would not hold. */
export async function requireKey(): Promise<void> {
  if (hasDatabase()) await assertKnownKey();
}
