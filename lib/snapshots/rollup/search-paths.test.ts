import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldSegment } from '@/lib/model/names/fold-segment';
import { escapeSegment } from '@/lib/model/names/written-segment';
import type { Rollup } from './open-rollup';
import { findPathsContaining, findTemplatesContaining } from './search-paths';
import { CUT, toLiteral } from './settle-paths';

const makeRollup = (paths: readonly string[]): Rollup =>
  ({
    paths: paths.map((path) => {
      const segments = path.split(':');
      return { segments, texts: segments.map(toLiteral) };
    }),
  }) as unknown as Rollup;

/** Whether all, some or none of the names of one path contain the text. */
function held(path: string, search: string): string {
  const found = findPathsContaining(makeRollup([path]), [0], search);
  return found === null ? 'some' : found.length === 1 ? 'all' : 'none';
}

describe('a search by paths', () => {
  it.each([
    ['shop:user:{int}:cart', 'cart', 'all'],
    ['shop:user:{int}:cart', 'CART', 'none'],
    ['Shop:User:{int}:Cart', 'ser:', 'all'],
    ['Shop:User:{int}:Cart', 'user:', 'none'],
    ['shop:user:{int}:profile', 'cart', 'none'],
    ['shop:user:{int}:cart', '12', 'some'],
    ['shop:user:{int}:cart', 'user:1', 'some'],
    ['shop:user:{int}:cart', '7:ca', 'some'],
    ['shop:user:{int}:cart', 'r:7:c', 'some'],
    ['shop:user:{int}:cart', 'r:x:c', 'none'],
    ['shop:user:{int}:cart', 'user:cart', 'none'],
    ['session:{uuid}', 'cart', 'none'],
    ['session:{uuid}', 'cafe', 'some'],
    ['session:{uuid}', 'CAFE', 'some'],
    ['cache:{b64}', 'cart', 'some'],
    ['user:{alnum}', 'cart-', 'some'],
    ['user:{alnum}', 'ca_rt', 'none'],
    ['wallet:{hex}', '0xcafe', 'some'],
    ['token:{b64}', 'eyj.', 'some'],
    ['order:SO{int}', 'SO1', 'some'],
    ['mail:{email}', 'cart', 'some'],
    ['im:{room:{int}}:member:{int}', 'm:{room', 'all'],
    ['im:{room:{int}}:member:{int}', '1}:mem', 'some'],
    ['x:\\{int}:y', '{int}', 'all'],
    ['x:{int}:y', '{int}', 'none'],
    ['x:{int}:y', 'int', 'none'],
    ['user_{int}:x', 'user_', 'all'],
    ['user:17', '17', 'all'],
    ['user:17', '18', 'none'],
    ['用户:{int}', '户', 'all'],
    ['ÜBER:{int}', 'ÜBER', 'all'],
    ['ÜBER:{int}', 'über', 'none'],
    ['shop:user:{int}:cart', 'c?rt', 'some'],
    ['shop:user:{int}:cart', '*', 'some'],
    ['shop:user[a]:x', 'user\\[a', 'all'],
    ['shop:user[a]:x', 'user[a]', 'some'],
    ['App\\Models:x', 'App\\\\Models', 'all'],
    // The escape stands for a byte and not for letters, so names with it are checked one by one.
    ['blob\\xed:x', 'ed', 'some'],
    ['blob\\xed:x', 'blo', 'some'],
    [`shop:${CUT}`, 'shop', 'all'],
    [`shop:${CUT}`, 'cart', 'some'],
    ['2026:{date}', '2026-', 'some'],
    ['k:{date}-{date}', '-'.repeat(200), 'some'],
  ])('%s and %s: %s', (path, search, expected) => expect(held(path, search)).toBe(expected));

  const word = fc.string({ unit: fc.constantFrom(...'abcABC12_{}-.\\'), maxLength: 5 });
  const id = fc.oneof(
    fc.nat().map(String),
    fc.uuid(),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 8, maxLength: 12 }),
    fc.constantFrom('2026-01', '20260131', 'a@b.org', 'AbCdEfGh12345678'),
    fc.nat(99).map((n) => `user_${n}`),
  );
  const name = fc.array(fc.oneof(word, id), { minLength: 1, maxLength: 4 }).map((some) => some.join(':'));

  it('says of no name what is not so', () => {
    fc.assert(
      fc.property(
        name,
        fc.nat(30),
        fc.integer({ min: 1, max: 8 }),
        word,
        fc.boolean(),
        (one, from, size, other, own) => {
          const path = one
            .split(':')
            .map((segment) => foldSegment(segment) ?? escapeSegment(segment))
            .join(':');
          const search = own ? one.slice(from, from + size) : other;
          // A backslash removes the special meaning of the next character, so such texts are skipped.
          if (search === '' || search.includes('\\')) return;
          const holds = one.includes(search);
          expect(held(path, search)).not.toBe(holds ? 'none' : 'all');
        },
      ),
      { numRuns: 20_000 },
    );
  });
});

describe('templates that hold a text', () => {
  const rollup = makeRollup([
    'user:{int}:cart',
    'user:{int}:profile',
    'day:20260101:x',
    'day:20260102:x',
    `wide:${CUT}`,
  ]);

  it('are those of the paths', () => {
    const narrow = makeRollup(['user:{int}:cart', 'user:{int}:profile', 'day:20260101:x']);
    expect(findTemplatesContaining(narrow, { search: 'cart' })).toEqual(['user:{int}:cart']);
    expect(findTemplatesContaining(narrow, { search: 'nothing' })).toEqual([]);
    expect(findTemplatesContaining(narrow, { search: '0260101' })).toBeNull();
    expect(findTemplatesContaining(narrow, { search: '0260101', prefix: 'day:' })).toEqual(['day:{date}:x']);
    expect(findTemplatesContaining(narrow, { search: 'cart', delimiter: '/' })).toBeNull();
    expect(findTemplatesContaining(narrow, {})).toBeNull();
  });

  it('are not known where some keys of one do not, or a level was cut', () => {
    expect(findTemplatesContaining(rollup, { search: '0260101', prefix: 'day:' })).toBeNull();
    expect(findTemplatesContaining(rollup, { search: '026010', prefix: 'day:' })).toEqual(['day:{date}:x']);
    expect(findTemplatesContaining(rollup, { search: 'cart' })).toBeNull();
    expect(findTemplatesContaining(rollup, { search: 'wide' })).toBeNull();
    expect(findTemplatesContaining(rollup, { search: 'cart', prefix: 'user:' })).toEqual(['user:{int}:cart']);
  });
});
