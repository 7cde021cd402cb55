import { type Kysely, sql } from 'kysely';
import { isPostgres } from './engines/dialect';
import { dbOf, type Tx } from './open-store';
import type { Tables } from './tables';

/** A text that the vault has sealed, wherever it stands. */
export interface SealedText {
  table: string;
  column: string;
  id: string;
  text: string;
}

interface Column {
  table: string;
  column: string;
  hasId: boolean;
}

/** Every text column there is: what somebody seals tomorrow is found without being named here. */
async function textColumns(db: Kysely<Tables>): Promise<Column[]> {
  const { rows } = isPostgres(db)
    ? await sql<{ table: string; column: string }>`
        select table_name as table, column_name as column from information_schema.columns
        where table_schema = current_schema() and data_type = 'text'`.execute(db)
    : await sql<{ table: string; column: string }>`
        select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
        where m.type = 'table' and lower(c.type) = 'text'`.execute(db);
  const withId = new Set(rows.filter(({ column }) => column === 'id').map(({ table }) => table));
  // The audit log seals nothing, and holds texts that others have chosen.
  return rows
    .filter(({ table }) => table !== 'audit')
    .map(({ table, column }) => ({ table, column, hasId: withId.has(table) }));
}

const SEALED = 'v1:________:%';

/** How many texts each key has sealed. */
export async function countSealed(tx?: Tx): Promise<Map<string, number>> {
  const db = await dbOf(tx);
  const counts = new Map<string, number>();
  for (const { table, column } of await textColumns(db)) {
    const { rows } = await sql<{ kid: string; found: number }>`
      select substr(${sql.ref(column)}, 4, 8) as kid, count(*) as found from ${sql.table(table)}
      where ${sql.ref(column)} like ${SEALED} group by 1`.execute(db);
    for (const { kid, found } of rows) counts.set(kid, (counts.get(kid) ?? 0) + Number(found));
  }
  return counts;
}

/** Up to `limit` texts that another key than `kid` has sealed, leaving out those in `skip` (`table column id`). */
export async function sealedByOthers(
  kid: string,
  { limit, skip }: { limit: number; skip: ReadonlySet<string> },
  tx: Tx,
): Promise<SealedText[]> {
  const found: SealedText[] = [];
  for (const { table, column, hasId } of await textColumns(tx)) {
    if (!hasId || found.length >= limit) continue;
    const { rows } = await sql<{ id: string; text: string }>`
      select id, ${sql.ref(column)} as text from ${sql.table(table)}
      where ${sql.ref(column)} like ${SEALED} and ${sql.ref(column)} not like ${`v1:${kid}:%`}
      order by id limit ${limit + skip.size}`.execute(tx);
    for (const row of rows) if (!skip.has(`${table} ${column} ${row.id}`)) found.push({ table, column, ...row });
  }
  return found.slice(0, limit);
}

/** Only where the text is still the one that was opened. */
export async function replaceSealed({ table, column, id, text }: SealedText, next: string, tx: Tx): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${next}
    where id = ${id} and ${sql.ref(column)} = ${text}`.execute(tx);
}
