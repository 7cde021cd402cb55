import Database from 'better-sqlite3';
import pg from 'pg';
import { parsePostgresUrl } from '@/lib/store/engines/postgres-url';
import { COPIED_TABLES } from '@/lib/store/move/copied-tables';

/** Contents of a database, read without Colonnade: sorted rows as texts, by table. */
export type Dump = Record<string, string[]>;

const plain = (row: Record<string, unknown>) =>
  JSON.stringify(
    Object.entries(row)
      .map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value])
      .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );

export function dumpSqlite(file: string): Dump {
  const db = new Database(file, { readonly: true });
  try {
    return Object.fromEntries(
      COPIED_TABLES.map((table) => [
        table,
        (db.prepare(`select * from ${table}`).all() as Record<string, unknown>[]).map(plain).toSorted(),
      ]),
    );
  } finally {
    db.close();
  }
}

/** Returns null if there are no tables. */
export async function dumpPostgres(url: string): Promise<Dump | null> {
  const { schema, display: _, ...where } = parsePostgresUrl(url);
  const client = new pg.Client({ ...where, ...(schema && { options: `-c search_path=${schema}` }) });
  await client.connect();
  try {
    const { rows } = await client.query("select to_regclass('settings') is not null as there");
    if (!rows[0].there) return null;
    const dump: Dump = {};
    for (const table of COPIED_TABLES) {
      const answer = await client.query(`select * from ${table}`);
      const numbers = answer.fields.filter(({ dataTypeID }) => dataTypeID === 20).map(({ name }) => name);
      for (const row of answer.rows) for (const name of numbers) if (row[name] !== null) row[name] = Number(row[name]);
      dump[table] = answer.rows.map(plain).toSorted();
    }
    return dump;
  } finally {
    await client.end();
  }
}
