import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchGlob } from '@/lib/model/text/match-glob';
import { globPattern } from './glob-pattern';

/** The plainest way to say the same, one question after the other. */
function slowly(glob: readonly string[], name: readonly string[]): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return name.length === 0;
  if (first === '*') return slowly(rest, name) || (name.length > 0 && slowly(glob, name.slice(1)));
  return name.length > 0 && (first === '?' || first === name[0]) && slowly(rest, name.slice(1));
}

describe('a glob', () => {
  it.each([
    ['user-*', 'user-1', true],
    ['user-*', 'userx1', false],
    ['a.b*', 'axb', false],
    ['*', '', true],
    ['?', '', false],
    ['?', '🙂', true],
    ['a?c', 'a\nc', true],
    ['[a-z]*', 'b', false],
    ['[a-z]*', '[a-z]b', true],
    ['a\\*', 'a\\b', true],
  ])('%s of %j: %s', (glob, name, means) => {
    expect(matchGlob(glob, name)).toBe(means);
    expect(new RegExp(`^(?:${globPattern(glob).slice('(?s)'.length)})$`, 'su').test(name)).toBe(means);
  });

  it('means what it says', () => {
    const text = (set: string) => fc.string({ unit: fc.constantFrom(...set), maxLength: 8 });
    fc.assert(
      fc.property(text('ab-*?'), text('ab-'), (glob, name) => {
        expect(matchGlob(glob, name)).toBe(slowly([...glob], [...name]));
      }),
      { numRuns: 2000 },
    );
  });

  it('of many stars is no trap: it ends before the test’s time does', () => {
    expect(matchGlob(`${'*a'.repeat(500)}*b`, 'a'.repeat(1024))).toBe(false);
  });
});
