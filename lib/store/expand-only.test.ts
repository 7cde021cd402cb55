import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeUpTo } from '@/test/store-up-to';
import { temporaryData } from '@/test/temporary-data';
import { isPostgres } from './engines/dialect';
import { knownMigrations } from './migrate';
import type { Store } from './open-store';

/**
 * While servers and workers are replaced one after the other, those of the version before read and write tables that
 * are newer than they. So a step adds, and takes nothing away: a column goes one version after its last reader.
 */
interface Shape {
  /** `table.column` → its type, and whether a row must say it. */
  columns: Map<string, { type: string; needed: boolean }>;
  /** `table.index` of those that refuse a second row. */
  unique: Set<string>;
}

/** What a step does nevertheless, on purpose. */
const ALLOWED: Record<string, string[]> = {
  // Before any version was shared by several processes.
  '0008-active-jobs': ['jobs.jobs_active refuses rows'],
};

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData({ emptyDatabase: true });
});
afterEach(() => data.remove());

async function shapeOf(db: Store): Promise<Shape> {
  const rowsOf = async <Row>(onPostgres: RawBuilder<Row>, onSqlite: RawBuilder<Row>) =>
    (await (isPostgres(db) ? onPostgres : onSqlite).execute(db)).rows;
  const columns = await rowsOf(
    sql<{ name: string; type: string; needed: unknown }>`select table_name || '.' || column_name as name,
      data_type as type, is_nullable = 'NO' and column_default is null as needed
      from information_schema.columns where table_schema = current_schema()`,
    sql`select t.name || '.' || c.name as name, c.type, c."notnull" = 1 and c.dflt_value is null as needed
      from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'`,
  );
  const unique = await rowsOf(
    sql<{ name: string }>`select tablename || '.' || indexname as name from pg_indexes
      where schemaname = current_schema() and indexdef like 'CREATE UNIQUE %'`,
    sql`select t.name || '.' || i.name as name from sqlite_master t, pragma_index_list(t.name) i
      where t.type = 'table' and i."unique" = 1`,
  );
  return {
    columns: new Map(columns.map(({ name, type, needed }) => [name, { type, needed: Boolean(needed) }])),
    unique: new Set(unique.map(({ name }) => name)),
  };
}

/** What of `after` a program that was written for `before` would stumble over. */
function narrowed(before: Shape, after: Shape): string[] {
  const tableOf = (name: string) => name.split('.')[0] as string;
  const known = new Set([...before.columns.keys()].map(tableOf));
  const found: string[] = [];
  for (const [name, { type, needed }] of before.columns) {
    const now = after.columns.get(name);
    if (now === undefined) found.push(`${name} is gone`);
    else if (now.type !== type) found.push(`${name} is ${now.type}`);
    else if (now.needed && !needed) found.push(`${name} must be said`);
  }
  for (const [name, { needed }] of after.columns)
    if (needed && !before.columns.has(name) && known.has(tableOf(name))) found.push(`${name} must be said`);
  for (const name of after.unique)
    if (!before.unique.has(name) && known.has(tableOf(name))) found.push(`${name} refuses rows`);
  return found;
}

it('no step takes anything away from the version before', async () => {
  let before = null as Shape | null;
  for (const step of knownMigrations())
    await storeUpTo(step, async (db) => {
      const after = await shapeOf(db);
      const left = narrowed(before ?? after, after).filter((one) => !ALLOWED[step]?.includes(one));
      expect([step, left]).toEqual([step, []]);
      before = after;
    });
  expect(before?.columns.size).toBeGreaterThan(100);
}, 60_000);

it.each([
  ['alter table jobs drop column takeovers', ['jobs.takeovers is gone']],
  ['alter table instances rename column name to title', ['instances.name is gone', 'instances.title must be said']],
  ['drop table saved_views', expect.arrayContaining(['saved_views.body is gone'])],
  ['create unique index one on snapshots (job_id)', ['snapshots.one refuses rows']],
  ["alter table settings add column kind text not null default ''", []],
  ['alter table settings add column kind text', []],
  ['create table more (id text not null)', []],
])('%s: %j', async (change, found) => {
  await storeUpTo(knownMigrations().at(-1) as string, async (db) => {
    const before = await shapeOf(db);
    await sql.raw(change).execute(db);
    expect(narrowed(before, await shapeOf(db))).toEqual(found);
  });
});
