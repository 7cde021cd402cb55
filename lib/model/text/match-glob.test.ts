import { expect, it } from 'vitest';
import { matchGlob } from './match-glob';

it.each([
  ['session:*', 'session:1', true],
  ['session:*', 'sessions:1', false],
  ['*:lock', 'a:b:lock', true],
  ['*:lock', 'lock', false],
  ['a?c', 'abc', true],
  ['a?c', 'a\u{1f511}c', true],
  ['a??c', 'a\u{1f511}c', false],
  ['*?c', '\u{1f511}c', true],
  ['\u{1f511}*', '\u{1f511}', true],
  ['\u{1f600}?:*', '\u{1f600}\u{1f511}:1', true],
  ['?', '\ud83d', true],
  ['\ufffd', '\ud83d', true],
  ['*', '', true],
  ['?', '', false],
  ['', '', true],
  ['my app:*', 'my app:1', true],
])('%s and %s: %s', (pattern, name, matches) => expect(matchGlob(pattern, name)).toBe(matches));

it('ends soon, however many stars there are', () => {
  expect(matchGlob(`${'*a'.repeat(2000)}b`, 'a'.repeat(5000))).toBe(false);
});
