import { expect, it } from 'vitest';
import { StatementCache } from './statement-cache';

const stand = () => {
  const made: string[] = [];
  const cache = new StatementCache((sql: string) => ({ sql, nth: made.push(sql) }));
  return { made, cache };
};

it('makes a statement once', () => {
  const { made, cache } = stand();
  expect(cache.get('select 1')).toBe(cache.get('select 1'));
  expect(made).toEqual(['select 1']);
});

it('keeps those used last', () => {
  const { made, cache } = stand();
  cache.get('first');
  for (let i = 0; i < 299; i++) cache.get(`select ${i}`);
  cache.get('first');
  cache.get('one more');
  made.length = 0;
  cache.get('first');
  cache.get('select 0');
  expect(made).toEqual(['select 0']);
});

it('forgets all when tables change', () => {
  const { made, cache } = stand();
  cache.get('select * from t');
  cache.get(' alter table t add column c');
  cache.get('select * from t');
  expect(made).toHaveLength(3);
});
