import { migrate } from '@/lib/store/migrate';
import { dbOf } from '@/lib/store/open-store';
import type { RowsOfTables } from './copy-tables';
import { fillFromPostgres } from './fill-from-postgres';

/** PostgreSQL into a new file that is an embedded database: one form of backup, whatever it was made of. */
export const copyFromPostgres = async (file: string): Promise<RowsOfTables> =>
  fillFromPostgres(file, await dbOf(undefined), (target) => migrate(target));
