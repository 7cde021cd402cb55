import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeStore } from '@/lib/store/open-store';
import { forgetVaultKeys } from '@/lib/vault/vault-key';
import type { DatabaseStock } from './servers/database-stock';

let stock: Pick<DatabaseStock, 'take' | 'returnDatabase'> | null = null;

/** From here on each test of this file gets a migrated database, where it does not ask for an empty one. */
export function takeDatabasesFrom(given: typeof stock): void {
  stock = given;
}

/** A data folder of its own for one test, through the setting that everyone uses. Give the result to afterEach. */
export function temporaryData(wishes: { emptyDatabase?: boolean } = {}): { dir: string; remove(): Promise<void> } {
  const dir = mkdtempSync(join(tmpdir(), 'colonnade-test-'));
  process.env.COLONNADE_DATA = dir;
  const server = process.env.COLONNADE_TEST_POSTGRES;
  const taken = wishes.emptyDatabase ? null : (stock?.take() ?? null);
  // Else every test has a schema of its own, which the store makes when it opens.
  if (server) process.env.COLONNADE_DATABASE_URL = taken ?? `${server}?schema=t_${randomBytes(6).toString('hex')}`;
  forgetVaultKeys();
  return {
    dir,
    async remove() {
      await closeStore();
      if (taken) stock?.returnDatabase(taken);
      // A process of the test that was ended a moment ago may still have written to it.
      rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
