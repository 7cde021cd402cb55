import { expect, it } from 'vitest';
import { buildLevelFilter, buildPathFilterPatch, findExtraPrefix } from './level-filter';

it('asks for the keys that end at a path, and for those below one', () => {
  expect(buildPathFilterPatch('config', { exact: true })).toEqual({ prefix: 'config', template: null, exact: true });
  expect(buildPathFilterPatch('config:', { exact: false })).toEqual({ prefix: 'config:', template: null, exact: null });
  expect(buildPathFilterPatch('user:{int}', { exact: true })).toEqual({ template: 'user:{int}', exact: true });
});

it('keeps the literal beginning that was asked for, which a folded path does not hold', () => {
  expect({ prefix: 'user:1', ...buildPathFilterPatch('user:{int}:', { exact: false }) }).toEqual({
    ...{ prefix: 'user:1', template: 'user:{int}:', exact: null },
  });
  expect(buildPathFilterPatch('x:\\{int}', { exact: true })).toEqual({ template: 'x:\\{int}', exact: true });
});

it('leads into a folded path without losing the literal beginning that was asked for', () => {
  const [path, prefix] = ['user:{int}:', 'user:1'];
  expect(buildLevelFilter(path, false, prefix)).toEqual({ prefix, template: path, exact: null });
  expect(buildLevelFilter('user:{int}:cart:{hex}', true, prefix)).toEqual({
    ...{ prefix, template: 'user:{int}:cart:{hex}', exact: true },
  });
  expect(buildLevelFilter('user_{int}:', false, 'user_1').prefix).toBe('user_1');
  // The prefix is written as names have it, not as a path writes it.
  expect(buildLevelFilter('x:\\{int}{hex}', false, 'x:{int}a').prefix).toBe('x:{int}a');
});

it('asks for no literal beginning that the path holds, or that is of another', () => {
  expect(buildLevelFilter('user:{int}:', false, 'user:')).toEqual({
    prefix: null,
    template: 'user:{int}:',
    exact: null,
  });
  expect(buildLevelFilter('user:{int}:', false, 'us').prefix).toBeNull();
  expect(buildLevelFilter('cart:{int}:', false, 'user:1').prefix).toBeNull();
  expect(buildLevelFilter('user:17:', false, 'user:1')).toEqual({ prefix: 'user:17:', template: null, exact: null });
  expect(buildLevelFilter('', false, 'user:1')).toEqual({ prefix: null, template: null, exact: null });
});

it('says what has to be asked for beside the paths of nodes', () => {
  expect(findExtraPrefix({ prefix: 'user:1' }, ':')).toBe('user:1');
  expect(findExtraPrefix({ prefix: 'user:1', template: 'user:{int}:' }, ':')).toBe('user:1');
  expect(findExtraPrefix({ prefix: 'user:' }, ':')).toBeNull();
  expect(findExtraPrefix({ prefix: 'user:', template: 'user:{int}:' }, ':')).toBeNull();
  expect(findExtraPrefix({ template: 'user:{int}:' }, ':')).toBeNull();
  expect(findExtraPrefix({}, ':')).toBeNull();
});

it('asks for the key whose name is empty by its length: every name begins with it', () => {
  const nothing = { prefix: null, template: null, exact: null };
  expect(buildLevelFilter('', true)).toEqual({ ...nothing, nameBytesMax: 0 });
  expect(buildPathFilterPatch('', { exact: true })).toEqual({ ...nothing, nameBytesMax: 0 });
  expect(buildLevelFilter('')).toEqual(nothing);
});
