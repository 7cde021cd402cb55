import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindSql, segmentKind } from '@/lib/key-query/segment-kind';
import { queryRows, withConnection } from '@/lib/snapshots/duckdb';
import { hashTagOfName, hashTagSql } from '@/lib/snapshots/hash-tag';
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
const idish = fc.oneof(
  hexish,
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
    const segments = fc.sample(idish, 6000).filter((s) => !s.includes('\0'));
    const kinds = await inSql(kindSql('x'), segments);
    const differ = segments.map((s, i) => [s, kinds[i], segmentKind(s)]).filter(([, sql, js]) => sql !== js);
    expect(differ).toEqual([]);
    expect(new Set(kinds).size).toBe(7);
  });

  it('about the hash tag', async () => {
    const vectors: [string, string | null][] = [
      ['{user1000}.following', 'user1000'],
      ['foo{}{bar}', null],
      ['foo{{bar}}zap', '{bar'],
      ['foo{bar}{zap}', 'bar'],
      ['{}x', null],
      ['}{', null],
      ['{a', null],
      ['a}b{c}', 'c'],
      ['', null],
    ];
    const names = [
      ...vectors.map(([name]) => name),
      ...fc.sample(fc.string({ unit: fc.constantFrom(...'{}ab中\n'), maxLength: 9 }), 3000),
    ];
    const tags = await inSql(hashTagSql('x'), names);
    expect(tags).toEqual(names.map(hashTagOfName));
    for (const [name, tag] of vectors) expect(hashTagOfName(name)).toBe(tag);
  });
});
