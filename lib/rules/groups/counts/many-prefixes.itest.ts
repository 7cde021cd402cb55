import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { prefixSql } from '@/lib/snapshots/key-query/prefix-sql';
import { Where } from '@/lib/snapshots/key-query/where-clause';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { LONG } from '@/test/long-form.mjs';
import { cutFiles, TINY } from '@/test/snapshots/cut-files';
import { type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeManifest, writeParts } from '@/test/snapshots/make-snapshot';
import { withFoldedPrefixes } from './folded-prefixes';
import { withCrowdedPrefixes } from './many-prefixes';

/** Counting range by range must give the same result as counting all at once. */
let data: Awaited<ReturnType<typeof dataFolder>>;
let ref: SnapshotRef;
beforeAll(async () => {
  data = await dataFolder();
  const model = madeRows(1).at(-1)!;
  const names = [
    // First names with ids and unusual names, then prefixes that extend over several ranges, and many prefixes of one
    // key.
    ...Array.from({ length: 700 }, (_, i) => `${i}:cart:${i % 9}`),
    ...Array.from({ length: 900 }, (_, i) => `long:words:${i}`),
    ...Array.from({ length: 900 }, (_, i) => `p${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}:x`),
    ...Array.from({ length: 60 }, (_, i) => `it's:${i}`),
    ...Array.from({ length: 60 }, (_, i) => `\\{int}:${i}:x`),
    ...Array.from({ length: 300 }, (_, i) => `bare${i}`),
    ...Array.from({ length: 300 }, (_, i) => (i % 2 ? `mid:${i}` : `mid:${i}x:y:z`)),
    ...Array.from({ length: 1200 }, (_, i) => `mid:m:${i}`),
  ];
  const made = names.map((name, i) => ({
    ...model,
    node: 0,
    db: 0,
    bytesOfName: Buffer.from(name),
    bytes: i,
    idle: i,
  }));
  const rows: MadeRow[] = [...made, ...madeRows(1500).map((row) => ({ ...row, node: 0, db: 7 }))];
  const dir = path.join(data.root, 'many');
  await sealSnapshot(dir, await writeParts(dir, rows, 300), {
    manifest: ({ keys, fileBytes }) => makeManifest({ id: 'many', state: 'sealed', keys, fileBytes }),
  });
  await cutFiles(dir, TINY);
  ref = { dir, manifest: await readManifest(dir) };
  expect(ref.manifest.files.length).toBeGreaterThan(8);
});
afterAll(() => data.clean());

const [ALWAYS, NEVER] = [-1, Number.POSITIVE_INFINITY];

describe.each(LONG ? [':', '.', '::'] : [':', '::'])('with the delimiter %s', (delimiter) => {
  it.each([
    ['keys', 20],
    ['keys', 1],
    ['bytes', 3000],
  ] as const)('groups with at least so many %s: %i', async (of, min) => {
    const asked = (many: number) =>
      withSource(ref, (source) => {
        const where = new Where();
        where.and(`bytes > ${where.bind(20)}::DOUBLE`);
        const sums = {
          oldest: ['max(idle_seconds)', 'max(oldest)'],
          idle: ['sum(idle_seconds)::DOUBLE', 'sum(idle)'],
        } as const;
        return withFoldedPrefixes(
          source,
          where,
          delimiter,
          sums,
          { of, min },
          (groups, found) =>
            source.query(
              `SELECT path, keys, bytes, example, oldest, idle FROM ${groups} WHERE ${of} >= ${found.bind(min)}::DOUBLE ORDER BY path`,
              found.values,
            ),
          many,
        );
      });
    const expected = await asked(NEVER);
    expect(expected.length).toBeGreaterThan(0);
    expect(await asked(ALWAYS)).toEqual(expected);
  });

  it('keys under prefixes with many of them', async () => {
    const asked = (many: number) =>
      withSource(ref, (source) => {
        const where = new Where();
        where.and(`bytes > ${where.bind(20)}::DOUBLE`);
        const prefix = prefixSql(where, delimiter);
        return withCrowdedPrefixes(
          source,
          where.copy(),
          prefix,
          25,
          (keys) =>
            source.query<{ prefix: string; keys: number }>(
              `SELECT ${prefix} AS prefix, count(*) AS keys, min(name) AS first FROM ${keys} ${where.sql} GROUP BY 1 HAVING count(*) >= 25 ORDER BY 1`,
              where.values,
            ),
          many,
        );
      });
    expect(await asked(ALWAYS)).toEqual(await asked(NEVER));
  });
});
