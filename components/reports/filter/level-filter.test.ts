import { expect, it } from 'vitest';
import { countedFilter } from './level-filter';

it('asks for the keys that end at a path, and for those below one', () => {
  expect(countedFilter('config', true)).toEqual({ prefix: 'config', template: null, exact: true });
  expect(countedFilter('config:', false)).toEqual({ prefix: 'config:', template: null, exact: null });
  expect(countedFilter('user:{int}', true)).toEqual({ template: 'user:{int}', exact: true });
});

it('keeps the literal beginning that was asked for, which a folded path does not hold', () => {
  expect({ prefix: 'user:1', ...countedFilter('user:{int}:', false) }).toEqual({
    ...{ prefix: 'user:1', template: 'user:{int}:', exact: null },
  });
  expect(countedFilter('x:\\{int}', true)).toEqual({ template: 'x:\\{int}', exact: true });
});
