import { sql } from 'kysely';
import { getDb, type Tx } from './open-store';

/**
 * Every column with texts that the vault has sealed. In other columns people choose the texts, which may look sealed by
 * chance. If you seal texts of another table, add it here: `SealedPlace` (lib/access/vault/seal.ts) accepts only these.
 */
const COLUMNS: readonly { table: 'instances' | 'channels'; column: string }[] = [
  ...(['password', 'sentinel_password', 'write_password', 'tls_key'] as const).map((column) => ({
    table: 'instances' as const,
    column,
  })),
  ...(['url', 'secret', 'previous_secret'] as const).map((column) => ({ table: 'channels' as const, column })),
];

/** A text that the vault has sealed, with its table, column and row. */
type SealedText = (typeof COLUMNS)[number] & { id: string; text: string };

const SEALED = 'v1:________:%';

/** Number of sealed texts per key id. */
export async function countSealed(tx?: Tx): Promise<Map<string, number>> {
  const db = await getDb(tx);
  const counts = new Map<string, number>();
  for (const { table, column } of COLUMNS) {
    const { rows } = await sql<{ kid: string; found: number }>`
      select substr(${sql.ref(column)}, 4, 8) as kid, count(*) as found from ${sql.table(table)}
      where ${sql.ref(column)} like ${SEALED} group by 1`.execute(db);
    for (const { kid, found } of rows) counts.set(kid, (counts.get(kid) ?? 0) + Number(found));
  }
  return counts;
}

/** Up to `limit` texts that are sealed with another key than `kid`, without those in `skip` (`table column id`). */
export async function listSealedByOthers(
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

/** Replaces a sealed text only if it has not changed since it was opened. */
export async function replaceSealed({ table, column, id, text }: SealedText, next: string, tx: Tx): Promise<void> {
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${next}
    where id = ${id} and ${sql.ref(column)} = ${text}`.execute(tx);
}
