import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findMissingFiles, getMissingFiles } from '@/lib/snapshots/folder/missing-files';
import { buildKeysReport as listKeys } from '@/lib/snapshots/reports/keys';
import { decide } from '@/lib/snapshots/rollup/scope';
import { TINY } from '@/test/snapshots/cut-files';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';
import { listFilesBelow } from './list-files-below';
import { streamRows } from './stream-rows';
import { type SnapshotRef, withSource } from './with-source';

/** Queries below a prefix read only the files that can hold it, and must find the same as a query on all files. */
let root: string;
let clean: () => Promise<void>;
let ref: SnapshotRef;
let names: string[];
beforeAll(async () => {
  ({ root, clean } = await dataFolder());
  ref = await makeSealed(root, 'sealed', madeRows(4000), TINY);
  names = await namesIn(ref);
});
afterAll(() => clean());

const namesIn = async (of: SnapshotRef, below?: string) => {
  const found = await withSource(of, ({ query, keys }) => query<{ name: string }>(`SELECT name FROM ${keys}`), {
    below,
  });
  return found.map(({ name }) => name);
};

it('has the cuts of its files in the description', async () => {
  const { files, cuts } = ref.manifest;
  expect(files.length).toBeGreaterThan(8);
  expect(cuts).toHaveLength(files.length - 1);
  const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  for (const [index, file] of files.entries()) {
    const own = await namesIn({ ...ref, manifest: { ...ref.manifest, files: [file] } });
    if (index > 0) expect(compare(cuts![index - 1]!, own[0]!)).toBeLessThanOrEqual(0);
    if (index < cuts!.length) expect(compare(own.at(-1)!, cuts![index]!)).toBeLessThan(0);
  }
  // A cut is only as long as necessary.
  expect(cuts!.some((cut) => !names.includes(cut))).toBe(true);
});

it('finds below every beginning of names just what begins so, in the order of the file', async () => {
  const beginnings = new Set(
    names.flatMap((name, i) => {
      const characters = Array.from(name);
      return [0.3, 0.7, 1]
        .map((share) => characters.slice(0, Math.ceil(characters.length * share)).join(''))
        .slice(i % 3);
    }),
  );
  const some = [...beginnings].filter((_, i) => i % 29 === 0);
  expect(some.length).toBeGreaterThan(100);
  let narrow = 0;
  for (const below of some) {
    expect(await namesIn(ref, below), JSON.stringify(below)).toEqual(names.filter((name) => name.startsWith(below)));
    if (listFilesBelow(ref.manifest, below).length === 1) narrow++;
  }
  expect(narrow).toBeGreaterThan(some.length / 2);
});

it('takes the text of a prefix for nothing but text', async () => {
  for (const below of ["' OR 1=1--", '\0', 'a\0b', "'", '\\', '\u{10ffff}'])
    expect(await namesIn(ref, below)).toEqual(names.filter((name) => name.startsWith(below)));
});

it('stays below it whatever else the question says, also where a list is read to its end', async () => {
  const below = names[Math.floor(names.length / 2)]!.slice(0, 1);
  const expected = names.filter((name) => name.startsWith(below));
  const streamed: unknown[] = [];
  for await (const page of streamRows(ref, (keys) => `SELECT name FROM ${keys}`, [], { below }))
    streamed.push(...page.map(({ name }) => name));
  expect(streamed).toEqual(expected);
  const query = { limit: 1000 };
  const listed = await withSource(
    ref,
    (source) => listKeys({ ...source, rollup: null }, decide(null, 'keys', query), query),
    { below },
  );
  expect(listed.total).toBe(expected.length);
});

it('of a running scan asks all parts, whose files are no ranges', async () => {
  const live = await makeLive(root, 'live', madeRows(500));
  expect((await namesIn(live, 'a')).length).toBe((await namesIn(live)).length);
});

it('says which of its files are missing, and never answers without one of them', async () => {
  const partly = await makeSealed(root, 'partly', madeRows(4000), TINY);
  const { files } = partly.manifest;
  const [first, , third] = files as [string, string, string];
  const ofThird = partly.manifest.cuts![1]!;
  for (const file of files) if (file !== third) await rm(path.join(partly.dir, file));
  expect(await namesIn(partly, ofThird)).toEqual(names.filter((name) => name.startsWith(ofThird)));
  const asked = await namesIn(partly).catch((error: unknown) => error);
  expect(asked).toMatchObject({ code: 'snapshot_unreadable' });
  expect(getMissingFiles(asked)).toEqual(files.filter((file) => file !== third));
  expect(await findMissingFiles(partly.dir, [first, third])).toEqual([first]);
});
