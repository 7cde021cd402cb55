import type { Kysely } from 'kysely';
import { AppError } from '@/lib/model/errors';
import { firstTables } from './migrations/0001-first-tables';
import { policies } from './migrations/0002-policies';
import { deletions } from './migrations/0003-deletions';
import { deletionCounts } from './migrations/0004-deletion-counts';
import { deletionServers } from './migrations/0005-deletion-servers';
import { countsInBulk } from './migrations/0006-counts-in-bulk';
import { accounts } from './migrations/0007-accounts';
import type { Tables } from './tables';

/** In order, for ever: a step that was released is never changed, only followed by another. */
const STEPS: { name: string; up: (db: Kysely<Tables>) => Promise<void> }[] = [
  { name: '0001-first-tables', up: firstTables },
  { name: '0002-policies', up: policies },
  { name: '0003-deletions', up: deletions },
  { name: '0004-deletion-counts', up: deletionCounts },
  { name: '0005-deletion-servers', up: deletionServers },
  { name: '0006-counts-in-bulk', up: countsInBulk },
  { name: '0007-accounts', up: accounts },
];

/** One transaction for all: two processes that start together see either nothing or everything. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('at', 'integer', (c) => c.notNull())
      .execute();
    const done = new Set((await tx.selectFrom('migrations').select('name').execute()).map((row) => row.name));
    const unknown = [...done].find((name) => !STEPS.some((step) => step.name === name));
    if (unknown)
      throw new AppError(
        'data_folder',
        `The data folder was written by a newer version (${unknown}). Update this program.`,
        {
          cause: unknown,
        },
      );
    for (const step of STEPS) {
      if (done.has(step.name)) continue;
      await step.up(tx);
      await tx.insertInto('migrations').values({ name: step.name, at: Date.now() }).execute();
    }
  });
}
