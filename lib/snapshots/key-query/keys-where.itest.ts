import { afterAll, beforeAll, expect, it } from 'vitest';
import { atPlaceSql } from '@/lib/snapshots/query/columns';
import { getFileBounds } from '@/lib/snapshots/query/file-bounds';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { madeRows, random } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { selectFilteredKeys } from './keys-where';

let sealed: SnapshotRef;
let clean: () => Promise<void>;
beforeAll(async () => {
  const folder = await dataFolder();
  clean = folder.clean;
  sealed = await makeSealed(folder.root, 'files', madeRows(4000), { fileRows: 150 });
});
afterAll(() => clean());

it('asks the same keys of the files that can hold them, whatever the names begin with', async () => {
  await withSource(sealed, async (source) => {
    const bounds = await getFileBounds(source);
    expect(bounds).toHaveLength(sealed.manifest.files.length);
    expect(bounds!.length).toBeGreaterThan(10);
    const names = (await source.query<{ name: string }>(`SELECT name FROM ${source.keys}`)).map((row) => row.name);
    const r = random(7);
    const some = Array.from({ length: 60 }, () => {
      const points = Array.from(names[Math.floor(r() * names.length)]!);
      return points.slice(0, Math.floor(r() * (points.length + 1))).join('');
    });
    let narrowed = 0;
    for (const prefix of ['', 'a', 'no such name', '\u{10ffff}', '\u{10ffff}\u{10ffff}', ...some]) {
      const expected = names.filter((name) => name.startsWith(prefix));
      for (const options of [undefined, { inOrder: true }]) {
        const { keys, where } = selectFilteredKeys({ ...source, bounds }, { prefix }, options);
        const got = await source.query<{ name: string }>(`SELECT name FROM ${keys} ${where.sql}`, where.values);
        const found = got.map((row) => row.name);
        expect(options ? found : found.sort(), prefix).toEqual(options ? expected : expected.toSorted());
        if (keys !== source.keys) narrowed++;
      }
      const both = selectFilteredKeys({ ...source, bounds }, { prefix, type: ['hash'], search: 'u' });
      const asked = selectFilteredKeys(source, { prefix, type: ['hash'], search: 'u' });
      const count = async ({ keys, where }: typeof both) =>
        (await source.query(`SELECT count(*) AS n, sum(bytes) AS bytes FROM ${keys} ${where.sql}`, where.values))[0];
      expect(await count(both), prefix).toEqual(await count(asked));
    }
    expect(narrowed).toBeGreaterThan(80);
  });
});

it('places rows in the order of names, and finds them there again', async () => {
  await withSource(sealed, async (source) => {
    const bounds = await getFileBounds(source);
    const parted = bounds!.filter((_, i) => i % 3 !== 1);
    let several = 0;
    // Adjacent files, files with gaps between them, and files that contain other names too.
    for (const some of [bounds, parted])
      for (const prefix of ['', 's', 'sh', 'shop:', 'shop:user:', 'u', 'z']) {
        const { keys, where } = selectFilteredKeys({ ...source, bounds: some }, { prefix }, { places: true });
        const rows = await source.query<{ name: string; place: number }>(
          `SELECT name, place FROM ${keys} ${where.sql} ORDER BY place`,
          where.values,
        );
        expect(new Set(rows.map(({ place }) => place)).size, prefix).toBe(rows.length);
        const texts = rows.map(({ name }) => Buffer.from(name));
        expect(
          texts.every((text, i) => i === 0 || Buffer.compare(texts[i - 1]!, text) <= 0),
          prefix,
        ).toBe(true);
        const ends = [rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)].flatMap((row) => row ?? []);
        for (const { name, place } of ends)
          expect(await source.query(atPlaceSql(source.dir, source.manifest, place, 'name')), prefix).toMatchObject([
            { name },
          ]);
        if (ends.length > 0 && Math.floor(ends[0]!.place / 2 ** 32) < Math.floor(ends.at(-1)!.place / 2 ** 32))
          several++;
      }
    expect(several).toBeGreaterThan(4);
  });
});

it('compares no name of a file in which every one begins so', async () => {
  await withSource(sealed, async (source) => {
    const bounds = (await getFileBounds(source))!;
    const inside = bounds.map((file) => ({ ...file, from: Buffer.from('shop:a'), to: Buffer.from('shop:z') }));
    const whole = selectFilteredKeys({ ...source, bounds: inside }, { prefix: 'shop:', type: ['hash'] });
    expect(whole.where.sql).not.toContain('name');
    expect(whole.keys).not.toContain('WHERE');
    const [, second, ...rest] = inside;
    const border = { ...second!, from: Buffer.from('shoe') };
    const partly = selectFilteredKeys({ ...source, bounds: [border, ...rest] }, { prefix: 'shop:' });
    expect(partly.where.sql).toBe('');
    expect(partly.keys.match(/WHERE/g)).toHaveLength(1);
    expect(partly.keys.slice(partly.keys.indexOf('UNION'))).toContain('WHERE name >= ');
  });
});
