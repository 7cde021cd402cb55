import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables';

/**
 * Makes ids, names and prefixes sort by bytes, as in SQLite; with the collation of a language `a:b` would come before
 * `a.b`. A column that a trigger uses cannot be altered, so this runs before the triggers of its table are created.
 */
export async function orderByBytes(tx: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as table, json_agg(column_name) as columns from information_schema.columns
    where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'
    group by table_name`.execute(tx);
  for (const { table, columns } of rows) {
    const changes = columns.map((name) => sql`alter column ${sql.id(name)} type text collate "C"`);
    await sql`alter table ${sql.id(table)} ${sql.join(changes)}`.execute(tx);
  }
}
