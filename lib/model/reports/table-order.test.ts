import { expect, it } from 'vitest';
import { inGroups, shownOrder, sortRows } from './table-order';

interface Shop {
  name: string;
  keys: number | null;
}
const VALUES = { name: (shop: Shop) => shop.name, keys: (shop: Shop) => shop.keys };
const SHOPS: Shop[] = [
  { name: 'b', keys: 5 },
  { name: 'nobody', keys: null },
  { name: 'a10', keys: 0 },
  { name: 'a2', keys: 5 },
];
const sorted = (sort: string, lang?: string) => sortRows(SHOPS, VALUES, { sort, lang }).map(({ name }) => name);

it('sorts names as people count and figures by size; unknown last in either direction, equal ones as they came', () => {
  expect(sorted('name')).toEqual(['a2', 'a10', 'b', 'nobody']);
  expect(sorted('-name')).toEqual(['nobody', 'b', 'a10', 'a2']);
  expect(sorted('keys')).toEqual(['a10', 'b', 'a2', 'nobody']);
  expect(sorted('-keys')).toEqual(['b', 'a2', 'a10', 'nobody']);
});

it('leaves rows as they came where no column is meant', () => {
  for (const sort of ['', 'toString', '-', 'address'])
    expect({ sort, names: sorted(sort) }).toEqual({ sort, names: ['b', 'nobody', 'a10', 'a2'] });
  expect(shownOrder(VALUES, '-keys', 'zh-CN')).toEqual({ sort: '-keys', lang: 'zh-CN' });
  for (const sort of ['', '-', 'toString']) expect(shownOrder(VALUES, sort, 'en')).toEqual({});
});

it('sorts names in the order of a language', () => {
  const teams = ['支付', 'web', '北京'].map((name) => ({ name, keys: 0 }));
  const names = (lang: string) => sortRows(teams, VALUES, { sort: 'name', lang }).map(({ name }) => name);
  expect(names('zh-CN')).toEqual(['北京', '支付', 'web']);
  expect(names('en')[0]).toBe('web');
});

it('keeps groups together, in the order of their names, what has none last', () => {
  const rows = ['env10', '', 'env2', 'env10'].map((env, at) => ({ env, at }));
  const grouped = inGroups(rows, ({ env }) => env, 'en');
  expect(grouped.map(({ env, at }) => `${env} ${at}`)).toEqual(['env2 2', 'env10 0', 'env10 3', ' 1']);
});
