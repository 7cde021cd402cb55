import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeGlob, hasWildcard } from './escape-glob';
import { findGlobFault, matchesBytes, matchesText, parseGlob } from './glob';

describe('a glob over characters', () => {
  it.each([
    ['session:*', 'session:1', true],
    ['session:*', 'sessions:1', false],
    ['*:lock', 'a:b:lock', true],
    ['*:lock', 'lock', false],
    ['a?c', 'abc', true],
    ['a?c', 'a\u{1f511}c', true],
    ['a?c', 'a\nc', true],
    ['a??c', 'a\u{1f511}c', false],
    ['*?c', '\u{1f511}c', true],
    ['\u{1f600}?:*', '\u{1f600}\u{1f511}:1', true],
    ['?', '\ud83d', true],
    ['\ufffd', '\ud83d', true],
    ['*', '', true],
    ['?', '', false],
    ['', '', true],
    ['h[ae]llo:*', 'hallo:1', true],
    ['h[ae]llo:*', 'h[ae]llo:1', false],
    ['h[^e]llo', 'hallo', true],
    ['h[^e]llo', 'hello', false],
    ['h[a-b]llo', 'hbllo', true],
    ['h[b-a]llo', 'hbllo', true],
    ['[一-龥]:*', '用:1', true],
    ['[^a]', '用', true],
    ['[*]', '*', true],
    ['[*]', 'a', false],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['a\\[b\\]', 'a[b]', true],
    ['App\\\\*', 'App\\Models', true],
    ['a]', 'a]', true],
    ['\\x61*', 'abc', true],
    ['\\xe7\\x94\\xa8', '用', true],
    ['\\xe7', '\\xe7', false],
    ['\\x00', '\\x00', false],
    ['*ed', 'x\\xed', true],
    ['\\xe7\\x94*', '用户', true],
    ['*\\xe7', '用', false],
    ['*\\x94\\xa8', '用', true],
    ['\\xe7??', '用', true],
    ['\\xe7?', '用', false],
    ['[\\xe7-\\xff]*', '用', true],
    ['[^\\xe7]*', '用', false],
    ['用\\xe6*', '用户', true],
  ])('%s and %s: %s', (pattern, name, means) => expect(matchesText(parseGlob(pattern), name)).toBe(means));

  it('ends soon, however many stars there are', () => {
    expect(matchesText(parseGlob(`${'*a'.repeat(2000)}b`), 'a'.repeat(5000))).toBe(false);
  });
});

it.each<[string, string | number[], boolean]>([
  ['?', [0xff], true],
  ['??', 'é', true],
  ['?', 'é', false],
  ['\\xff*', [0xff, 0x61], true],
  ['[\\x80-\\xff]', [0xac], true],
  ['[\\x80-\\xff]', 'a', false],
  ['\\x00?', [0, 0xac], true],
  ['*ed', [0xed], false],
  ['\\java\\a*', [0xac, 0xed, 0, 5, 0x74, 0, 2, 0x61, 0x62], true],
  ['*\\java\\?', [0x20, 0xac, 0xed, 0, 5, 0x74, 0, 1, 0x61], true],
  ['\\java\\a', '\\java\\a', false],
  ['\\\\java\\\\a', '\\java\\a', true],
])('over bytes %s and %j: %s', (pattern, name, means) =>
  expect(matchesBytes(parseGlob(pattern), Buffer.from(name as string))).toBe(means),
);

it.each([
  ['h[ae', 'class_open'],
  ['[', 'class_open'],
  ['[a-]', 'class_open'],
  ['[\\]', 'class_open'],
  ['[]', 'class_empty'],
  ['[^]', 'class_empty'],
  ['[a-\\xff]', 'class_mixed'],
  ['[a-😀]', 'class_mixed'],
  ['a\\', 'backslash'],
  ['App\\Models', 'backslash'],
  ['\\x0g', 'backslash'],
  ['[a-\\]]', 'backslash'],
  ['a]b^-', null],
  ['', null],
] as const)('%s cannot be read: %s', (pattern, fault) => expect(findGlobFault(pattern)).toBe(fault));

it.each([
  ['abc', false],
  ['a*', true],
  ['a\\*b', false],
  ['a\\\\*b', true],
  ['a[b', true],
  ['\\?x\\[', false],
  ['\\xff', false],
  ['\n?', true],
])('%j has wildcards: %s', (pattern, has) => expect(hasWildcard(pattern)).toBe(has));

it('a name that is escaped means itself and nothing else', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab*?[]^-\\x0:用'), maxLength: 10 });
  fc.assert(
    fc.property(text, text, (name, other) => {
      // Text that looks like an escaped byte is read as one.
      fc.pre(!/\\x[0-9a-f]{2}/.test(name));
      const glob = parseGlob(escapeGlob(name));
      expect(hasWildcard(escapeGlob(name))).toBe(false);
      expect(matchesText(glob, name)).toBe(true);
      expect(matchesText(glob, other)).toBe(name === other);
    }),
    { numRuns: 3000 },
  );
  expect(
    matchesBytes(
      parseGlob(escapeGlob('a\\xff\\\\xffb')),
      Buffer.from([...'a', 0xff, ...'\\xffb'].map((c) => (typeof c === 'string' ? c.charCodeAt(0) : c))),
    ),
  ).toBe(true);
});
