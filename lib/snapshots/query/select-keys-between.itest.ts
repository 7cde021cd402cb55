import { afterAll, beforeAll, expect, it } from 'vitest';
import { TINY } from '@/test/snapshots/cut-files';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeLive, makeSealed } from '@/test/snapshots/make-snapshot';
import { selectKeysBetween, selectKeysNamed } from './select-keys-between';
import { type SnapshotRef, withSource } from './with-source';

let root: string;
let clean: () => Promise<void>;
let ref: SnapshotRef;
const rows = madeRows(4000);
beforeAll(async () => {
  ({ root, clean } = await dataFolder());
  ref = await makeSealed(root, 'sealed', rows, TINY);
});
afterAll(() => clean());

const filesIn = (sql: string) => sql.match(/keys-\d+/g)?.length ?? 0;
const BETWEEN = 'name >= $1::VARCHAR AND name <= $2::VARCHAR';

it('holds all keys between two names, in as few files as can hold them', () =>
  withSource(ref, async (source) => {
    const all = (await source.query<{ name: string }>(`SELECT DISTINCT name FROM ${source.keys}`)).map(
      (row) => row.name,
    );
    all.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const cuts = ref.manifest.cuts!;
    const pick = [0, 1, 700, 701, 1500, all.length - 1].map((at) => all[at]!);
    const texts = [...pick, ...cuts.slice(0, 4), '', 'zzz', '\u{10ffff}', `${cuts[2]}!`];
    let fewer = 0;
    for (const from of texts)
      for (const to of texts) {
        const counted = async (keys: string) =>
          (await source.query<{ n: number }>(`SELECT count(*) AS n FROM ${keys} WHERE ${BETWEEN}`, [from, to]))[0]!.n;
        const some = selectKeysBetween(source, from, to);
        expect(await counted(some), `${from} … ${to}`).toBe(await counted(source.keys));
        fewer += filesIn(some) < ref.manifest.files.length ? 1 : 0;
      }
    expect(fewer).toBeGreaterThan(100);
    for (const name of [...pick, ...cuts]) expect(filesIn(selectKeysNamed(source, [name]))).toBe(1);
    const named = `SELECT count(DISTINCT name) AS n FROM ${selectKeysNamed(source, pick)} WHERE name IN ($1, $2, $3, $4, $5, $6)`;
    expect((await source.query<{ n: number }>(named, pick))[0]!.n).toBe(pick.length);
    expect(await source.query(`SELECT * FROM ${selectKeysNamed(source, [])}`)).toEqual([]);
  }));

it('is all keys of a running scan, of a question below a prefix, and of a snapshot without cuts', async () => {
  const live = await makeLive(root, 'live', rows);
  await withSource(live, async (source) => expect(selectKeysNamed(source, ['a'])).toBe(source.keys));
  await withSource(ref, async (source) => expect(selectKeysNamed(source, ['a'])).toBe(source.keys), { below: 'a' });
  const { cuts: _, ...manifest } = ref.manifest;
  await withSource({ ...ref, manifest }, async (source) =>
    expect(filesIn(selectKeysNamed(source, ['a']))).toBe(manifest.files.length),
  );
});
