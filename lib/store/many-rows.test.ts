import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'colonnade-rows-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('rows made by another copy of the module are written one by one: routes share the database that the engine opened', async () => {
  const engine = await import('./engines/sqlite');
  vi.resetModules();
  const route = await import('./engines/sqlite');
  expect(route.ManyRows).not.toBe(engine.ManyRows);
  const db = engine.openSqlite(join(folder, 'x.db'));
  db.prepare('create table t (a, b)').run([]);
  db.prepare('insert into t values (?, ?)').run([
    new route.ManyRows([
      [1, 'one'],
      [2, 'two'],
    ]),
  ]);
  expect(db.prepare('select a, b from t order by a').all([])).toEqual([
    { a: 1, b: 'one' },
    { a: 2, b: 'two' },
  ]);
  db.close();
});
