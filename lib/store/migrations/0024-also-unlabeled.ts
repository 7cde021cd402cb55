import type { Kysely } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tables } from '../tables';

/** Whether a process with labels takes jobs of instances without one, too. */
export async function alsoUnlabeled(db: Kysely<Tables>): Promise<void> {
  if (!isPostgres(db)) return;
  await db.schema
    .alterTable('workers')
    .addColumn('also_unlabeled', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}
