import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldSegment } from '@/lib/model/names/fold-segment';
import { detectSegmentKind } from '@/lib/model/names/id-kinds';
import { escapeSegment } from '@/lib/model/names/written-segment';
import { templateSql } from '@/lib/snapshots/key-query/template-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { escapedSql, foldedSegmentSql } from '@/lib/snapshots/name-sql/folded-segment-sql';
import { kindSql } from '@/lib/snapshots/name-sql/segment-kind';
import { literalTemplateSql } from '@/lib/snapshots/name-sql/template-sql';
import { queryRows, withConnection } from '@/lib/snapshots/query/duckdb';
import { hashTagSql } from '@/lib/snapshots/query/hash-tag';
import { LONG } from '@/test/long-form.mjs';
import { dataFolder } from '@/test/snapshots/make-snapshot';

let dir: string;
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  dir = path.join(folder.root, 'any');
  await mkdir(dir);
});
afterAll(() => clean());

async function inSql(expression: string, values: string[]): Promise<(string | null)[]> {
  return withConnection(dir, {}, async (connection) => {
    const rows = await queryRows<{ r: string | null }>(
      connection,
      `SELECT ${expression} AS r FROM (SELECT unnest(from_json($1, '["VARCHAR"]')) AS x)`,
      [JSON.stringify(values)],
    );
    return rows.map((row) => row.r);
  });
}

const hexish = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF-'), maxLength: 40 });
const lettersAndDigits = (unit: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...unit), minLength, maxLength });
/** ULIDs and similar ids, names of pods, order numbers, times, and texts that look almost like them. */
const opaque = fc.oneof(
  lettersAndDigits('0123456789abcxyz', 22, 27),
  lettersAndDigits('0123456789ABCXYZ', 22, 27),
  lettersAndDigits('bcdfghz2459', 8, 11),
  fc
    .tuple(lettersAndDigits('bcdfgxz2459', 7, 11), lettersAndDigits('bcdfgxz2459', 4, 6))
    .map(([hash, end]) => `web-${hash}-${end}`),
  lettersAndDigits('0123456789', 4, 9).map((digits) => `SO${digits}`),
  lettersAndDigits('0123456789', 1, 4).map((digits) => `用户${digits}`),
  lettersAndDigits('0123456789abcDEF', 0, 9).map((digits) => `0x${digits}`),
  fc.integer({ min: 1, max: 123_456_789 }).map((digits) => `${digits}Z`),
  fc.date({ min: new Date('1990-01-01'), max: new Date('2050-01-01'), noInvalidDate: true }).chain((day) => {
    const text = day.toISOString();
    const basic = text.replaceAll(/[:-]/g, '');
    return fc.constantFrom(text, text.slice(0, 13), basic, basic.slice(0, 15), basic.slice(0, 11), `${text}+02:00`);
  }),
  lettersAndDigits('aB3_-', 0, 20).map((part) => `eyJhbGciOiJIUzI1NiJ9.${part}.aB3-${part}`),
);
const idish = fc.oneof(
  hexish,
  opaque,
  fc.uuid(),
  fc.string({ unit: fc.constantFrom(...'0123456789-'), maxLength: 11 }),
  fc.emailAddress(),
  fc.base64String({ minLength: 12, maxLength: 60 }),
  fc
    .date({ min: new Date('1890-01-01'), max: new Date('2120-01-01'), noInvalidDate: true })
    .map((d) => d.toISOString().slice(0, 10)),
  fc
    .date({ min: new Date('1890-01-01'), max: new Date('2120-01-01'), noInvalidDate: true })
    .map((d) => d.toISOString().slice(0, 10).replaceAll('-', '')),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

describe('SQL and JavaScript say the same', () => {
  it('about the kind of a segment', async () => {
    // The short form tests the same few texts each time, because some kinds are rare.
    const runs = LONG ? { numRuns: 6000 } : { numRuns: 1500, seed: 20261123 };
    const segments = fc.sample(idish, runs).filter((s) => !s.includes('\0'));
    const kinds = await inSql(kindSql('x'), segments);
    const differ = segments.map((s, i) => [s, kinds[i], detectSegmentKind(s)]).filter(([, sql, js]) => sql !== js);
    expect(differ).toEqual([]);
    expect(new Set(kinds).size).toBe(8);
  });

  const piece = fc.oneof(
    idish,
    fc.constantFrom(
      'user',
      'x',
      '{int}',
      '\\{hex}',
      '\\',
      '2024-01',
      '20240115',
      '17',
      'a1b2c3d4',
      'web-bcdfghjkl-bcdfg',
    ),
  );
  const joined = fc
    .array(
      fc.tuple(
        piece,
        fc.constantFrom(
          '_',
          '-',
          '.',
          '{',
          '}',
          '',
          '/',
          ':',
          ' ',
          '|',
          '=',
          "'",
          '[',
          ']',
          '^',
          '"',
          '%',
          '用',
          'Z',
          '?',
          '&',
          '?q=',
          '":"',
          '": "',
          '"}',
          '","',
        ),
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((some) => some.flat().join(''));

  it('about ids that are joined to words', async () => {
    const segments = fc
      .sample(joined, { seed: 20261123, numRuns: LONG ? 8000 : 2000 })
      .filter((s) => !s.includes('\0'));
    const forms = await inSql(`coalesce(${foldedSegmentSql('x')}, ${escapedSql('x')})`, segments);
    const wanted = segments.map((s) => foldSegment(s) ?? escapeSegment(s));
    expect(segments.flatMap((s, i) => (forms[i] === wanted[i] ? [] : [[s, forms[i], wanted[i]]])).slice(0, 5)).toEqual(
      [],
    );
    expect(segments.filter((s) => foldSegment(s) !== null && detectSegmentKind(s) === null).length).toBeGreaterThan(
      LONG ? 2000 : 500,
    );
  });

  // Ids that are folded without checking each kind, and texts that look almost like them.
  const simple = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 11 }),
    fc
      .tuple(fc.constantFrom('18', '19', '20', '21', '02'), fc.integer({ min: 0, max: 999_999 }))
      .map(([century, rest]) => `${century}${String(rest).padStart(6, '0')}`),
    fc.string({ unit: fc.constantFrom(...'abefXYZ0189'), maxLength: 9 }),
    fc.constantFrom(
      '',
      'user',
      'a_b',
      'ä',
      '\n',
      '\n1',
      '1\n',
      'x y',
      '\\',
      '2024-01',
      '{1}',
      '{17',
      '17}',
      '{user',
      'user}',
      '{20240115}',
      '20240115}',
      '{1}2',
      '1{2}',
      '{{1}}',
      'ipv4',
      'a12345',
      'a123456',
      'ab12345',
      'ab123456',
      'Z',
      '3Z',
      '0x1',
      '用户',
      '用1',
      'deadbee1',
      '4d',
    ),
  );

  it.each(LONG ? [':', '.', '_', '-', '/', '|', '::'] : [':', '_', '|', '::'])(
    'about the template of a name under %s',
    async (delimiter) => {
      const sample = (segment: fc.Arbitrary<string>) =>
        fc.sample(fc.array(segment, { minLength: 1, maxLength: 4 }), { seed: 20261123, numRuns: LONG ? 1500 : 400 });
      const names = [...sample(joined), ...sample(simple)]
        .map((some) => some.join(delimiter))
        .filter((s) => !s.includes('\0'));
      const wanted = names.map((name) =>
        name
          .split(delimiter)
          .map((s) => foldSegment(s) ?? escapeSegment(s))
          .join(delimiter),
      );
      expect(await inSql(`(SELECT ${literalTemplateSql(delimiter)} FROM (SELECT x AS name))`, names)).toEqual(wanted);
      expect(templateSql(new Where(), delimiter).replaceAll('$1::VARCHAR', `'${delimiter}'`)).toBe(
        literalTemplateSql(delimiter),
      );
    },
  );

  it('about the hash tag, what a cluster does', async () => {
    const vectors: [string, string | null][] = [
      ['{user1000}.following', 'user1000'],
      ['foo{}{bar}', null],
      ['foo{{bar}}zap', '{bar'],
      ['foo{bar}{zap}', 'bar'],
      ['{}x', null],
      ['}{', null],
      ['{a\nb}', 'a\nb'],
      ['{a', null],
      ['a}b{c}', 'c'],
      ['', null],
    ];
    const names = vectors.map(([name]) => name);
    expect(await inSql(hashTagSql('x'), names)).toEqual(vectors.map(([, tag]) => tag));
  });
});
