import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluateGroups } from '@/lib/rules/groups/evaluate-groups';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { cutFiles, TINY } from '@/test/snapshots/cut-files';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeManifest, makeSealed, writeParts } from '@/test/snapshots/make-snapshot';

/** Families whose names are in one range, in several, or (with tags, or beginning with an id) anywhere. */
const fields = (count: number, name: (i: number, field: string) => string, of = ['name', 'age', 'favor']) =>
  of.flatMap((field) => Array.from({ length: count }, (_, i) => name(i, field)));
const names = [
  ...fields(500, (i, field) => `user:${i}:${field}`),
  ...fields(60, (i, field) => `tiny:${i}:${field}`),
  ...fields(20, (i, field) => `few:${i}:${field}`),
  ...fields(60, (i, field) => `${i * 37}:profile:${i}:${field}`),
  ...fields(60, (i, field) => (i % 2 ? `{a:${i}}:${field}` : `a:{${i}}:${field}`)),
  ...fields(60, (i, field) => `odd\\{x:${i}:${field}`),
  ...fields(90, (i, field) => `shop:${field}:${i + 1}`),
  ...fields(90, (i, field) => `user:${i}:${field}`, ['cart', 'cart2']),
];

let data: Awaited<ReturnType<typeof dataFolder>>;
let [whole, cut]: SnapshotRef[] = [];
beforeAll(async () => {
  data = await dataFolder();
  const rows = [...new Set(names)].map((name, i) => ({
    ...madeRows(1)[0]!,
    node: 0,
    db: 0,
    type: 'string',
    bytes: 60 + (i % 7),
    length: 10,
    bytesOfName: Buffer.from(name),
  }));
  whole = await makeSealed(data.root, 'whole', rows);
  const dir = path.join(data.root, 'cut');
  await sealSnapshot(dir, await writeParts(dir, rows, 300), {
    manifest: ({ keys, fileBytes }) => makeManifest({ id: 'cut', state: 'sealed', keys, fileBytes }),
  });
  await cutFiles(dir, TINY);
  cut = { dir, manifest: await readManifest(dir) };
  expect([whole.manifest.files.length, cut.manifest.files.length > 4]).toEqual([1, true]);
});
afterAll(() => data.clean());

const ask = (ref: SnapshotRef, delimiter: string) =>
  withSource(ref, (source) =>
    evaluateGroups(
      source,
      [
        { id: 'V13', params: { fields: 3, objects: 100 } },
        { id: 'C28', params: { fields: 2, keys: 100 } },
      ],
      { asOf: source.asOf, delimiter, findOwner: () => null, exempt: () => false },
    ),
  );

it.each([':', '.'])('families are the same range by range, parted by %s', async (delimiter) => {
  const expected = await ask(whole!, delimiter);
  expect(await ask(cut!, delimiter)).toEqual(expected);
  if (delimiter !== ':') return;
  const found = (id: string) => expected[id]!.groups.map(({ subject, keys }) => [subject, keys]);
  expect(found('V13')).toEqual([
    ['user:{int}:', 1590],
    ['shop:{int}', 270],
    ['a:{int}:', 180],
    ['odd\\{x:{int}:', 180],
    ['tiny:{int}:', 180],
    ['{int}:profile:{int}:', 180],
  ]);
  expect(found('C28').map(([subject]) => subject)).not.toContain('few:{int}:');
});
