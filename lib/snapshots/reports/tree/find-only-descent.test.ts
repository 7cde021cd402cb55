import { expect, it } from 'vitest';
import { findOnlyDescent, findOnlyDescentOfPaths } from './find-only-descent';

const word = (example: string, lastName: string) => ({ form: null, example, lastName });

it('follows what the first and the last name share, up to where they part', () => {
  expect(findOnlyDescent(word('index:sku:a:1', 'index:sku:b:9'), 0, ':')).toEqual(['sku']);
  expect(findOnlyDescent(word('a:b:c:d:1', 'a:b:c:d:2'), 0, ':')).toEqual(['b', 'c', 'd']);
  expect(findOnlyDescent(word('a:b:c:d:1', 'a:b:c:d:2'), 1, ':')).toEqual(['c', 'd']);
  // If a name ends where others continue, the only way ends there.
  expect(findOnlyDescent(word('a:b', 'a:b:c'), 0, ':')).toEqual([]);
  // For a single key the way leads to its last delimiter.
  expect(findOnlyDescent(word('a:b:c', 'a:b:c'), 0, ':')).toEqual(['b']);
  expect(findOnlyDescent(word('a:sku1:x', 'a:sku2:x'), 0, ':')).toEqual([]);
  expect(findOnlyDescent(word('a::b:1', 'a::b:2'), 0, ':')).toEqual(['', 'b']);
  expect(findOnlyDescent(word('a->b->1', 'a->b->2'), 0, '->')).toEqual(['b']);
  // A name that looks folded is escaped as in paths.
  expect(findOnlyDescent(word('a:{int}:1', 'a:{int}:2'), 0, ':')).toEqual(['\\{int}']);
});

it('follows the folded form of ids below ids', () => {
  const folded = (firstTemplate: string | null, lastTemplate: string | null) => ({
    form: '{int}',
    example: 'user:1:p:x',
    lastName: 'user:9:p:y',
    firstTemplate,
    lastTemplate,
  });
  expect(findOnlyDescent(folded('user:{int}:profile:a', 'user:{int}:profile:b'), 1, ':')).toEqual(['profile']);
  expect(findOnlyDescent(folded('user:{int}:{int}:p:a', 'user:{int}:{int}:p:b'), 1, ':')).toEqual(['{int}', 'p']);
  expect(findOnlyDescent(folded('user:{int}:{int}:a', 'user:{int}:{uuid}:a'), 1, ':')).toEqual([]);
  expect(findOnlyDescent(folded(null, null), 1, ':')).toEqual([]);
});

it('follows the paths of the roll-up alike', () => {
  const path = (text: string) => {
    const segments = text.split(':');
    return { segments, texts: segments.map((one) => (one.includes('{int}') ? null : one)) };
  };
  const paths = ['index:sku:a:x', 'index:sku:b:x'].map(path);
  expect(findOnlyDescentOfPaths(paths, 0, false)).toEqual(['sku']);
  expect(findOnlyDescentOfPaths([...paths, path('index:other')], 0, false)).toEqual([]);
  expect(findOnlyDescentOfPaths(['a:b', 'a:b:c'].map(path), 0, false)).toEqual([]);
  expect(findOnlyDescentOfPaths(['u:{int}:17:x', 'u:{int}:17:y'].map(path), 1, true)).toEqual(['{int}']);
  expect(findOnlyDescentOfPaths(['u:{int}:{int}:x', 'u:{int}:17:y'].map(path), 1, true)).toEqual(['{int}']);
  expect(findOnlyDescentOfPaths(['u:{int}:17:x', 'u:{int}:all:y'].map(path), 1, true)).toEqual([]);
  expect(findOnlyDescentOfPaths(['u:{int}:17:x', 'u:{int}:17'].map(path), 1, true)).toEqual([]);
  expect(findOnlyDescentOfPaths(['u:17:x', 'u:17:y'].map(path), 0, false)).toEqual(['17']);
  expect(findOnlyDescentOfPaths(['u:{int}:x'].map(path), 0, false)).toEqual([]);
  expect(findOnlyDescentOfPaths(['a:\u0001'].map(path), 0, false)).toEqual([]);
});
