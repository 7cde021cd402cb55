import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queryRows, withConnection } from '@/lib/snapshots/query/duckdb';
import { temporaryData } from '@/test/temporary-data';
import { dropPlan, planPaths } from './plan-paths';

let data: ReturnType<typeof temporaryData>;
beforeAll(() => {
  data = temporaryData();
});
afterAll(() => data.remove());

const list = (names: readonly [name: string, template: string][]) =>
  `(SELECT * FROM (VALUES ${names.map(([name, template]) => `('${name}', '${template}')`).join(', ')}) t(name, template))`;

const findPaths = (names: readonly [name: string, template: string][]): Promise<Record<string, string>> =>
  withConnection(path.join(data.dir, 'snapshots', 'x'), {}, async (connection) => {
    const rows = await planPaths(connection, list(names));
    const found = await queryRows<{ name: string; path: string }>(connection, `SELECT name, path FROM ${rows}`);
    await dropPlan(connection);
    expect(await queryRows(connection, `FROM duckdb_tables() WHERE temporary`)).toEqual([]);
    return Object.fromEntries(found.map((row) => [row.name, row.path]));
  });

/** Ids of a level that has far too many for keeping them as they are. */
const many = (of: (id: number) => [string, string]) => Array.from({ length: 300 }, (_, i) => of(1000 + i));

it('keeps ids of levels that have few of them, wherever they stand in a name', async () => {
  const paths = await findPaths([
    ['1:2:x:3', '{int}:{int}:x:{int}'],
    ['7', '{int}'],
    ['a:5', 'a:{int}'],
    ['b:8:9', 'b:{int}:{int}'],
    ['c:user_4:{int}:6', 'c:user_{int}:\\{int}:{int}'],
    ['words:only', 'words:only'],
    ['d::4:', 'd::{int}:'],
    ["it''s:3", "it''s:{int}"],
    ...many((id) => [`m:${id}:4`, 'm:{int}:{int}']),
    ...many((id) => [`few:2:${id}`, 'few:{int}:{int}']),
  ]);
  expect(paths).toMatchObject({
    '1:2:x:3': '1:2:x:3',
    '7': '7',
    'a:5': 'a:5',
    'b:8:9': 'b:8:9',
    'c:user_4:{int}:6': 'c:user_4:\\{int}:6',
    'words:only': 'words:only',
    'd::4:': 'd::4:',
    "it's:3": "it's:3",
    'm:1007:4': 'm:{int}:4',
    'few:2:1007': 'few:2:{int}',
  });
});

it('keeps ids behind an id that stands as it is, of which there are few below that one only', async () => {
  const paths = await findPaths([
    ...many((id) => [`shop:1:${id}`, 'shop:{int}:{int}']),
    ['shop:2:5', 'shop:{int}:{int}'],
    ['shop:2:6', 'shop:{int}:{int}'],
  ]);
  expect(paths).toMatchObject({ 'shop:1:1000': 'shop:1:{int}', 'shop:2:5': 'shop:2:5', 'shop:2:6': 'shop:2:6' });
});
