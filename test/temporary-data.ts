import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forgetVaultKeys } from '@/lib/access/vault/vault-key';
import { closeStore } from '@/lib/store/open-store';
import type { DatabaseStock } from './servers/database-stock';

let stock: Pick<DatabaseStock, 'take' | 'returnDatabase'> | null = null;

/** From this call on, each test of the file gets a migrated database, unless it asks for an empty one. */
export function takeDatabasesFrom(given: typeof stock): void {
  stock = given;
}

/** Creates a data folder for one test and sets it in the settings. Give the result to afterEach. */
export function temporaryData(wishes: { emptyDatabase?: boolean } = {}): { dir: string; remove(): Promise<void> } {
  const dir = mkdtempSync(join(tmpdir(), 'colonnade-test-'));
  process.env.COLONNADE_DATA = dir;
  const server = process.env.COLONNADE_TEST_POSTGRES;
  const taken = wishes.emptyDatabase ? null : (stock?.take() ?? null);
  // Without a copy, each test gets a schema of its own, which the store creates when it opens.
  if (server) process.env.COLONNADE_DATABASE_URL = taken ?? `${server}?schema=t_${randomBytes(6).toString('hex')}`;
  forgetVaultKeys();
  return {
    dir,
    async remove() {
      await closeStore();
      if (taken) stock?.returnDatabase(taken);
      // A process that the test has just ended may still have written to the folder.
      rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
