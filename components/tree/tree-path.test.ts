import { describe, expect, it } from 'vitest';
import { levelFilter } from '@/components/reports/filter/level-filter';
import { crumbsOf, parentOf } from './tree-path';

describe('tree paths', () => {
  it('cuts a path into levels', () => {
    expect(crumbsOf('user:{int}:', ':')).toEqual([
      { segment: 'user', path: 'user:' },
      { segment: '{int}', path: 'user:{int}:' },
    ]);
    expect(crumbsOf('', ':')).toEqual([]);
  });
  it('keeps empty segments and an unfinished last one', () => {
    expect(crumbsOf('a::b', ':').map((c) => c.segment)).toEqual(['a', '', 'b']);
  });
  it('takes a delimiter of several characters as one', () => {
    expect(crumbsOf('a::b:c::', '::')).toEqual([
      { segment: 'a', path: 'a::' },
      { segment: 'b:c', path: 'a::b:c::' },
    ]);
    expect(crumbsOf('a:b/c/', ':/').map((c) => c.path)).toEqual(['a:b/c/']);
    expect(crumbsOf('a:b', '').map((c) => c.path)).toEqual(['a:b']);
    expect(parentOf('a::b:c::d::', '::')).toBe('a::b:c::');
  });
  it('goes up level by level to the root', () => {
    expect(parentOf('a:b:c:', ':')).toBe('a:b:');
    expect(parentOf('a:', ':')).toBe('');
    expect(parentOf('', ':')).toBe('');
  });
  it('asks folded paths as templates, plain ones as prefixes', () => {
    expect(levelFilter('user:{int}:')).toEqual({ prefix: null, template: 'user:{int}:', exact: null });
    expect(levelFilter('user:{1}:')).toEqual({ prefix: 'user:{1}:', template: null, exact: null });
    expect(levelFilter('')).toEqual({ prefix: null, template: null, exact: null });
    expect(levelFilter('user', true)).toEqual({ prefix: 'user', template: null, exact: true });
  });
});
