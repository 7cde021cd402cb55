import { sql } from 'kysely';
import { AppError } from '@/lib/model/errors';
import { isPostgres } from '@/lib/store/engines/dialect';
import type { Tx } from '@/lib/store/open-store';
import { COPIED_TABLES, type CopiedTable, UNCOPIED_TABLES } from './copied-tables';

type Row = Record<string, unknown>;
/** Rows per round trip of a cursor. */
const FETCHED = 500;
const CURSOR = sql.id('colonnade_rows');

/** Yields rows one by one, without holding a whole table in memory. PostgreSQL needs a cursor for this. */
async function* readRowsToCopy(table: CopiedTable, source: Tx): AsyncGenerator<Row> {
  if (!isPostgres(source)) {
    yield* source.selectFrom(table).selectAll().stream();
    return;
  }
  await sql`declare ${CURSOR} no scroll cursor for select * from ${sql.table(table)}`.execute(source);
  for (;;) {
    const { rows } = await sql<Row>`fetch forward ${sql.lit(FETCHED)} from ${CURSOR}`.execute(source);
    yield* rows;
    if (rows.length < FETCHED) break;
  }
  await sql`close ${CURSOR}`.execute(source);
}

export interface MoveProgress {
  table: CopiedTable;
  done: number;
  rows: number;
}
export type RowsOfTables = Record<CopiedTable, number>;

/**
 * PostgreSQL accepts 65,535 parameters in one statement and SQLite 32,766. MAX_CHARACTERS limits the text of a
 * statement, because plans can be large.
 */
const MAX_PARAMETERS = 20_000;
const MAX_CHARACTERS = 4_000_000;

/**
 * Copies all rows of all tables unchanged, between any two databases, and counts both sides afterwards. Returns the
 * number of rows of each table.
 */
export async function copyTables(
  source: Tx,
  target: Tx,
  onProgress: (progress: MoveProgress) => void,
): Promise<RowsOfTables> {
  await refuseUnknownTables(source);
  const rows = await countTables(source);
  for (const table of COPIED_TABLES) await copyTable(table, source, target, rows[table], onProgress);
  const copied = await countTables(target);
  const differs = COPIED_TABLES.find((table) => copied[table] !== rows[table]);
  if (differs)
    throw new AppError(
      'conflict',
      `The table ${differs} has ${rows[differs]} rows, ${copied[differs]} arrived. Nothing was copied. Try again, and report it if it happens again.`,
      { table: differs },
    );
  if (isPostgres(target)) for (const table of COPIED_TABLES) await sql`analyze ${sql.table(table)}`.execute(target);
  return rows;
}

async function copyTable(
  table: CopiedTable,
  source: Tx,
  target: Tx,
  rows: number,
  onProgress: (progress: MoveProgress) => void,
): Promise<void> {
  let done = 0;
  let batch: Row[] = [];
  let parameters = 0;
  let characters = 0;
  const write = async () => {
    if (batch.length === 0) return;
    // The rows belong to this table, but TypeScript cannot check that for a variable table name.
    await target
      .insertInto(table)
      .values(batch as never)
      .execute();
    done += batch.length;
    batch = [];
    parameters = 0;
    characters = 0;
    onProgress({ table, done, rows });
  };
  for await (const row of readRowsToCopy(table, source)) {
    const values = Object.values(row);
    batch.push(row);
    parameters += values.length;
    for (const value of values)
      if (typeof value === 'string' || value instanceof Uint8Array) characters += value.length;
    if (parameters > MAX_PARAMETERS || characters > MAX_CHARACTERS) await write();
  }
  await write();
  if (rows === 0) onProgress({ table, done, rows });
}

async function countTables(tx: Tx): Promise<RowsOfTables> {
  const counts = {} as RowsOfTables;
  for (const table of COPIED_TABLES) {
    const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(tx);
    counts[table] = rows[0]?.rows ?? 0;
  }
  return counts;
}

/** Refuses a table that is not in the lists, because it would silently not be copied. */
async function refuseUnknownTables(source: Tx): Promise<void> {
  const known = new Set<string>([...COPIED_TABLES, ...UNCOPIED_TABLES]);
  // SQLite creates tables of its own, such as `sqlite_sequence`.
  const unknown = (await listTableNames(source)).filter((name) => !known.has(name) && !name.startsWith('sqlite_'));
  if (unknown.length > 0)
    throw new AppError('unsupported', `There is no rule how to copy the table ${unknown.join(', ')}.`);
}

async function listTableNames(tx: Tx): Promise<string[]> {
  const { rows } = await (isPostgres(tx)
    ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
    : sql<{ name: string }>`select name from sqlite_master where type = 'table'`
  ).execute(tx);
  return rows.map(({ name }) => name);
}
