import { sql } from 'kysely';
import { dbOf, type Tx } from './open-store';

/**
 * Every column that the vault seals something in. Elsewhere people choose the texts themselves, and may choose one that
 * looks sealed. Whoever seals in another table names it here: `SealedPlace` (lib/vault/seal.ts) takes no other.
 */
const COLUMNS = (['password', 'sentinel_password', 'write_password', 'tls_key'] as const).map((column) => ({
  table: 'instances' as const,
  column,
}));

/** A text that the vault has sealed, wherever it stands. */
export type SealedText = (typeof COLUMNS)[number] & { id: string; text: string };

const SEALED = 'v1:________:%';

/** How many texts each key has sealed. */
export async function countSealed(tx?: Tx): Promise<Map<string, number>> {
  const db = await dbOf(tx);
  const counts = new Map<string, number>();
  for (const { table, column } of COLUMNS) {
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
  for (const { table, column } of COLUMNS) {
    if (found.length >= limit) continue;
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
