import { expect, it } from 'vitest';
import { prefixAsked } from './prefix-asked';

const node = (path: string, end = false) => ({ path, end });

it('is what every name under the filter begins with', () => {
  expect(prefixAsked({})).toBe('');
  expect(prefixAsked({ prefix: 'user:1' })).toBe('user:1');
  expect(prefixAsked({ template: 'user:{int}:cart:' })).toBe('user:');
  expect(prefixAsked({ template: 'user:cart' })).toBe('user:cart');
  // Both apply, and the longer one is more specific.
  expect(prefixAsked({ prefix: 'user:17:c', template: 'user:{int}:' })).toBe('user:17:c');
  expect(prefixAsked({ prefix: 'us', template: 'user:{int}:' })).toBe('user:');
});

it('cuts a path by the delimiter that it was made with', () => {
  expect(prefixAsked({ template: 'user/{int}/cart' }, '/')).toBe('user/');
  expect(prefixAsked({ template: 'a:{int}/b' }, '/')).toBe('a:');
});

it('of several nodes is what all of them begin with', () => {
  expect(prefixAsked({}, ':', [node('shop:cart:'), node('shop:order:{int}:')])).toBe('shop:');
  expect(prefixAsked({}, ':', [node('shop:cart', true)])).toBe('shop:cart');
  expect(prefixAsked({}, ':', [node('a:'), node('b:')])).toBe('');
  expect(prefixAsked({}, ':', [node('shop:a:'), node('shop:')])).toBe('shop:');
  expect(prefixAsked({ prefix: 'shop:cart:9' }, ':', [node('shop:')])).toBe('shop:cart:9');
});

it('never cuts a character in two', () => {
  // Both characters have the same first surrogate.
  expect(prefixAsked({}, ':', [node('a\u{1f600}:'), node('a\u{1f601}:')])).toBe('a');
  expect(prefixAsked({ prefix: 'a\ud83d' })).toBe('a\ufffd');
});
