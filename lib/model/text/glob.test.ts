import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDisplayName } from '@/lib/model/keys/display-name';
import { escapeGlob } from './escape-glob';
import { findGlobFault, hasWildcard, matchesBytes, matchesText, parseGlob } from './glob';

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
  ['\\java\\*:lock', true],
  ['\\java\\\\*', false],
  ['\\java\\\\[', false],
  ['\\java\\', false],
  ['App\\Models:', false],
  ['App\\Models:*', true],
])('%j has wildcards: %s', (pattern, has) => expect(hasWildcard(pattern)).toBe(has));

it('a name that is escaped means itself and nothing else', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab*?[]^-\\x0:用', '\\java\\'), maxLength: 10 });
  const name = fc.tuple(text, fc.boolean()).map(([of, isJava]) => (isJava ? serialise(of) : Buffer.from(of)));
  fc.assert(
    fc.property(name, name, (one, other) => {
      const form = toDisplayName(one);
      const glob = parseGlob(escapeGlob(form.name));
      expect(glob.hasWildcard).toBe(false);
      expect(matchesBytes(glob, one)).toBe(true);
      expect(matchesBytes(glob, other)).toBe(one.equals(other));
      if (form.exact) expect(matchesText(glob, form.name)).toBe(true);
      // A wildcard after a name is one, whatever the name ends in.
      const beginning = parseGlob(`${escapeGlob(form.name)}*`);
      expect(beginning.hasWildcard).toBe(true);
      expect(matchesBytes(beginning, one)).toBe(true);
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

it('a text that is shown for no name is a pattern nevertheless', () => {
  expect(findGlobFault(escapeGlob('\\\\\\java\\'))).toBeNull();
});

function serialise(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.from([0xac, 0xed, 0, 5, 0x74, bytes.length >> 8, bytes.length & 255, ...bytes]);
}
