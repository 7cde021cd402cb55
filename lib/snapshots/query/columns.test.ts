import { expect, it } from 'vitest';
import { dropUnusedTemplates, PART_SELECT, partsSql, TEMPLATE_COLUMN } from './columns';

const keys = `(${partsSql('/snapshot', ['a.parquet', 'b.parquet'])})`;
const folds = (sql: string) => dropUnusedTemplates(sql, keys).includes(TEMPLATE_COLUMN);

it.each([
  `SELECT count(*) FROM ${keys}`,
  `SELECT name, count(*) OVER () AS n FROM (SELECT name FROM ${keys} WHERE db = 0)`,
  `WITH one AS (SELECT name FROM ${keys}) SELECT * FROM one JOIN (SELECT max(bytes) AS most FROM ${keys}) ON true`,
])('asks no templates of a statement that names none: %#', (sql) => {
  expect(folds(sql)).toBe(false);
  expect(dropUnusedTemplates(sql, keys)).toContain('a.parquet');
});

it.each([
  `SELECT template FROM ${keys}`,
  `SELECT * FROM ${keys}`,
  `SELECT * EXCLUDE (name) FROM ${keys}`,
  `SELECT k.* FROM ids JOIN ${keys} AS k USING (name)`,
  // The placeholder for the keys must not be in the statement itself.
  `SELECT 'a\u0000b' AS odd FROM ${keys}`,
  `SELECT *, 1 AS one FROM ids JOIN ${keys} USING (name)`,
])('leaves them where something reads all columns or the template: %#', (sql) => {
  expect(dropUnusedTemplates(sql, keys)).toBe(sql);
});

it('reads no file before the first part is complete', () => {
  expect(partsSql('/snapshot', [])).toContain('WHERE false');
  expect(partsSql('/snapshot', [])).toContain(PART_SELECT);
});
