/**
 * Writes many items at once. SQLite runs one prepared statement for each row. PostgreSQL gets one list per column,
 * which is one statement and one round trip for any number of rows.
 */

import { CompiledQuery, sql } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import { ManyRows } from '@/lib/store/engines/sqlite';
import type { Store, Tx } from '@/lib/store/open-store';

/** The columns of an inserted row in their order, with their types on PostgreSQL. */
const INSERTED = {
  seq: 'integer',
  name: 'bytea',
  db: 'integer',
  slot: 'integer',
  state: 'text',
  mode: 'text',
  type: 'text',
  facts: 'text',
  elements: 'bigint',
  expires_soon: 'integer',
};
/** Columns of text; all other columns that are updated are numbers. */
const TEXTS = new Set(['state', 'mode', 'type', 'facts', 'journal', 'reason']);

/** Inserts rows whose values are in the order of `INSERTED`. */
export async function insertItemRows(deletionId: string, rows: unknown[][], db: Store | Tx): Promise<void> {
  const names = Object.keys(INSERTED);
  if (!isPostgres(db)) {
    const text = `insert into deletion_items (deletion_id, ${names.join(', ')})
      values (?, ${names.map(() => '?').join(', ')})`;
    await db.executeQuery(CompiledQuery.raw(text, [new ManyRows(rows.map((row) => [deletionId, ...row]))]));
    return;
  }
  const lists = Object.values(INSERTED).map((type, i) => toArraySql(rows, i, type));
  await sql`insert into deletion_items (deletion_id, ${sql.raw(names.join(', '))})
    select ${deletionId}, * from unnest(${sql.join(lists)})`.execute(db);
}

/**
 * Updates items. A row has the values of `columns`, then the number of the item. If two rows have the same item, the
 * later one counts.
 */
export async function updateItemRows(
  deletionId: string,
  columns: readonly string[],
  rows: unknown[][],
  db: Store | Tx,
): Promise<void> {
  if (!isPostgres(db)) {
    const text = `update deletion_items set ${columns.map((name) => `${name} = ?`).join(', ')}
      where seq = ? and deletion_id = ?`;
    await db.executeQuery(CompiledQuery.raw(text, [new ManyRows(rows.map((row) => [...row, deletionId]))]));
    return;
  }
  // A row that another one follows for the same item is dropped.
  const last = [...new Map(rows.map((row) => [row.at(-1), row])).values()];
  const lists = columns.map((name, i) => toArraySql(last, i, TEXTS.has(name) ? 'text' : 'bigint'));
  const set = columns.map((name) => `${name} = given.${name}`).join(', ');
  await sql`update deletion_items set ${sql.raw(set)}
    from unnest(${sql.join([...lists, toArraySql(last, columns.length, 'integer')])})
      as given (${sql.raw([...columns, 'given_seq'].join(', '))})
    where deletion_id = ${deletionId} and seq = given.given_seq`.execute(db);
}

const toArraySql = (rows: unknown[][], column: number, type: string) =>
  sql`${rows.map((row) => row[column] ?? null)}::${sql.raw(type)}[]`;
