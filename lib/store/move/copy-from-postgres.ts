import { withoutDeadline } from '@/lib/store/engines/query-deadline';
import { migrate } from '@/lib/store/migrate';
import { dbOf } from '@/lib/store/open-store';
import type { RowsOfTables } from './copy-tables';
import { fillFromPostgres } from './fill-from-postgres';

/** PostgreSQL into a new file that is an embedded database: one form of backup, whatever it was made of. */
export async function copyFromPostgres(file: string): Promise<RowsOfTables> {
  const db = await dbOf(undefined);
  return withoutDeadline(() => fillFromPostgres(file, db, (target) => migrate(target)));
}
