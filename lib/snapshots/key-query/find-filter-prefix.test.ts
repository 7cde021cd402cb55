import { expect, it } from 'vitest';
import { findFilterPrefix } from './find-filter-prefix';

const node = (path: string, end = false) => ({ path, end });

it('is what every name under the filter begins with', () => {
  expect(findFilterPrefix({})).toBe('');
  expect(findFilterPrefix({ prefix: 'user:1' })).toBe('user:1');
  expect(findFilterPrefix({ template: 'user:{int}:cart:' })).toBe('user:');
  expect(findFilterPrefix({ template: 'user:cart' })).toBe('user:cart');
  // Both apply, and the longer one is more specific.
  expect(findFilterPrefix({ prefix: 'user:17:c', template: 'user:{int}:' })).toBe('user:17:c');
  expect(findFilterPrefix({ prefix: 'us', template: 'user:{int}:' })).toBe('user:');
});

it('cuts a path by the delimiter that it was made with', () => {
  expect(findFilterPrefix({ template: 'user/{int}/cart' }, '/')).toBe('user/');
  expect(findFilterPrefix({ template: 'a:{int}/b' }, '/')).toBe('a:');
});

it('of several nodes is what all of them begin with', () => {
  expect(findFilterPrefix({}, ':', [node('shop:cart:'), node('shop:order:{int}:')])).toBe('shop:');
  expect(findFilterPrefix({}, ':', [node('shop:cart', true)])).toBe('shop:cart');
  expect(findFilterPrefix({}, ':', [node('a:'), node('b:')])).toBe('');
  expect(findFilterPrefix({}, ':', [node('shop:a:'), node('shop:')])).toBe('shop:');
  expect(findFilterPrefix({ prefix: 'shop:cart:9' }, ':', [node('shop:')])).toBe('shop:cart:9');
});

it('never cuts a character in two', () => {
  // Both characters have the same first surrogate.
  expect(findFilterPrefix({}, ':', [node('a\u{1f600}:'), node('a\u{1f601}:')])).toBe('a');
  expect(findFilterPrefix({ prefix: 'a\ud83d' })).toBe('a\ufffd');
});
