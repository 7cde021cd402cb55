import { expect, it } from 'vitest';
import { FILTER_KEYS } from '@/components/reports/filter/filter-params';
import { extractSlice } from './address-slice';

it('keeps every filter, the snapshot and the delimiter, and nothing of how one page shows them', () => {
  const all = Object.fromEntries([...FILTER_KEYS, 'snapshot', 'delimiter'].map((name) => [name, `${name}:1 &é`]));
  const kept = extractSlice(
    new URLSearchParams({ sort: '-bytes', ...all, cursor: 'x', by: 'keys' }),
    '/instances/a/tree',
  );
  expect(Object.fromEntries(new URLSearchParams(kept))).toEqual(all);
});

it('is nothing where nothing is chosen', () => {
  expect(extractSlice(new URLSearchParams('sort=name&prefix='), '/instances/a/keys')).toBe('');
});

it("does not take a key's database for a filter", () => {
  const search = new URLSearchParams('db=3&prefix=shop:');
  expect(extractSlice(search, '/instances/a/keys/c2hvcA')).toBe('?prefix=shop%3A');
  expect(new URLSearchParams(extractSlice(search, '/instances/a/keys')).get('db')).toBe('3');
});
