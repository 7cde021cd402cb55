import { describe, expect, it } from 'vitest';
import { buildLevelFilter } from '@/components/reports/filter/level-filter';
import { findParent, hasValues, splitCrumbs, toValuesPath } from './tree-path';

describe('tree paths', () => {
  it('cuts a path into levels', () => {
    expect(splitCrumbs('user:{int}:', ':')).toEqual([
      { segment: 'user', path: 'user:' },
      { segment: '{int}', path: 'user:{int}:' },
    ]);
    expect(splitCrumbs('', ':')).toEqual([]);
  });
  it('keeps empty segments and an unfinished last one', () => {
    expect(splitCrumbs('a::b', ':').map((c) => c.segment)).toEqual(['a', '', 'b']);
  });
  it('takes a delimiter of several characters as one', () => {
    expect(splitCrumbs('a::b:c::', '::')).toEqual([
      { segment: 'a', path: 'a::' },
      { segment: 'b:c', path: 'a::b:c::' },
    ]);
    expect(splitCrumbs('a:b/c/', ':/').map((c) => c.path)).toEqual(['a:b/c/']);
    expect(splitCrumbs('a:b', '').map((c) => c.path)).toEqual(['a:b']);
    expect(findParent('a::b:c::d::', '::')).toBe('a::b:c::');
  });
  it('goes up level by level to the root', () => {
    expect(findParent('a:b:c:', ':')).toBe('a:b:');
    expect(findParent('a:', ':')).toBe('');
    expect(findParent('', ':')).toBe('');
  });
  it('asks folded paths as templates, plain ones as prefixes', () => {
    expect(buildLevelFilter('user:{int}:')).toEqual({ prefix: null, template: 'user:{int}:', exact: null });
    expect(buildLevelFilter('user:{1}:')).toEqual({ prefix: 'user:{1}:', template: null, exact: null });
    expect(buildLevelFilter('')).toEqual({ prefix: null, template: null, exact: null });
    expect(buildLevelFilter('user', true)).toEqual({ prefix: 'user', template: null, exact: true });
  });
});

it('finds the level of the values of a folded node, which is one below its parent', () => {
  expect(toValuesPath('shop:order:{date}:', ':')).toBe('shop:order:{date}');
  expect(toValuesPath('user_{int}', ':')).toBe('user_{int}');
  expect(
    ['shop:{date}', '{int}', 'shop:{date}:', 'user:1', 'a:\\{int}', ''].map((path) => hasValues(path, ':')),
  ).toEqual([...[true, true], ...[false, false, false, false]]);
  expect(findParent('shop:{date}', ':')).toBe('shop:');
});
