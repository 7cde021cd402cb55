import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listParts } from '@/lib/snapshots/folder/folder';
import { queryRows, quote, withConnection } from '@/lib/snapshots/query/duckdb';
import { HOSTILE, madeRows, pagesOf } from '@/test/snapshots/made-rows';
import { dataFolder, writeParts } from '@/test/snapshots/make-snapshot';
import { createPartWriter } from './part-writer';

let root: string;
let clean: () => Promise<void>;
beforeAll(async () => ({ root, clean } = await dataFolder()));
afterAll(() => clean());

const HUNDRED_LONG = Array.from({ length: 100 }, (_, i) => Buffer.alloc(5000 + i, 'n'));

/** Parts of a scan are compressed from sequence 5 on. Readers must not see a difference. */
it('writes the same rows with and without compression', async () => {
  const rows = madeRows(70_000).map((row) => ({ ...row, node: 1, db: 0 }));
  const odd = [...HOSTILE, ...HUNDRED_LONG].map((bytesOfName) => ({ ...rows[0]!, bytesOfName }));
  const all = [...rows, ...odd];
  const early = path.join(root, 'early');
  const late = path.join(root, 'late');
  const [fourth] = await writeParts(early, all, all.length, 4);
  const [fifth] = await writeParts(late, all, all.length, 5);
  await withConnection(root, {}, async (connection) => {
    const read = (file: string) => `SELECT * EXCLUDE (sequence) FROM read_parquet(${quote(file)})`;
    const files = [path.join(early, fourth!), path.join(late, fifth!)] as const;
    const differing = (a: string, b: string) =>
      queryRows<{ n: number }>(connection, `SELECT count(*) AS n FROM (${read(a)} EXCEPT ALL ${read(b)})`);
    expect(await differing(files[0], files[1])).toEqual([{ n: 0 }]);
    expect(await differing(files[1], files[0])).toEqual([{ n: 0 }]);
    const codecs = await queryRows<{ column: string; file: string; codec: string; bytes: number; plain: number }>(
      connection,
      `SELECT path_in_schema AS column, parse_filename(file_name) AS file, compression AS codec,
         sum(total_compressed_size)::DOUBLE AS bytes, sum(total_uncompressed_size)::DOUBLE AS plain
       FROM parquet_metadata([${files.map(quote).join(', ')}])
       WHERE path_in_schema IN ('name', 'slot', 'idle_seconds') GROUP BY ALL ORDER BY ALL`,
    );
    expect(codecs.map(({ column, file, codec }) => [column, file, codec])).toEqual([
      ['idle_seconds', fourth, 'UNCOMPRESSED'],
      ['idle_seconds', fifth, 'UNCOMPRESSED'],
      ['name', fourth, 'UNCOMPRESSED'],
      ['name', fifth, 'GZIP'],
      ['slot', fourth, 'UNCOMPRESSED'],
      ['slot', fifth, 'GZIP'],
    ]);
    const [, , name, zippedName, slot, zippedSlot] = codecs;
    expect(zippedName!.plain).toBe(name!.bytes);
    expect(zippedName!.bytes).toBeLessThan(name!.bytes / 2);
    expect(zippedSlot!.plain).toBe(slot!.bytes);
    expect(zippedSlot!.bytes).toBeLessThan(0.7 * slot!.bytes);
  });
});

/** Returns a page as a node sends it: `rows` keys of `node`, beginning at `first`. */
function makePage(node: number, first: number, rows: number) {
  const [model] = madeRows(1);
  const made = Array.from({ length: rows }, (_, i) => ({
    ...model!,
    node,
    db: 0,
    bytesOfName: Buffer.from(`node:${node}:key:${first + i}`),
  }));
  return [...pagesOf(made, rows)][0]!;
}

/** When many nodes are written at a time, their row groups are smaller, because they share one budget. */
it('writes the parts of many nodes at a time whole, in smaller groups', async () => {
  const dir = path.join(root, 'many');
  await mkdir(dir);
  const NODES = 40;
  const writers = await Promise.all(
    Array.from({ length: NODES }, (_, node) => createPartWriter(dir, { node, db: 0, sequence: node + 1 })),
  );
  for (let page = 0; page < 40; page++)
    await Promise.all(writers.map((writer, node) => writer.append(makePage(node, page * 500, 500))));
  const parts = await Promise.all(writers.map((writer) => writer.finish()));
  expect(new Set(parts.map((part) => part.rows))).toEqual(new Set([20_000]));
  await withConnection(root, {}, async (connection) => {
    const files = parts.map((part) => quote(path.join(dir, part.file))).join(', ');
    const [found] = await queryRows<Record<string, number>>(
      connection,
      `SELECT count(*) AS keys, count(DISTINCT name) AS names,
         count(*) FILTER (name = 'node:' || node || ':key:' || split_part(name, ':', 4)) AS own
       FROM read_parquet([${files}])`,
    );
    expect(found).toEqual({ keys: NODES * 20_000, names: NODES * 20_000, own: NODES * 20_000 });
    const groups = await queryRows<{ n: number }>(
      connection,
      `SELECT max(row_group_num_rows) AS n FROM parquet_metadata([${files}]) WHERE row_group_id > 0`,
    );
    expect(groups).toEqual([{ n: 8192 }]);
  });
  // A part that is written alone has groups of full size again.
  const alone = await createPartWriter(dir, { node: 0, db: 0, sequence: 99 });
  for (let page = 0; page < 70; page++) await alone.append(makePage(0, page * 500, 500));
  const { file } = await alone.finish();
  await withConnection(root, {}, async (connection) => {
    const [first] = await queryRows<{ n: number }>(
      connection,
      `SELECT max(row_group_num_rows) AS n FROM parquet_metadata(${quote(path.join(dir, file))})`,
    );
    expect(first).toEqual({ n: 32_768 });
  });
});

describe('a run that was overtaken', () => {
  const makePart = (dir: string, token: string) => createPartWriter(dir, { node: 0, db: 0, sequence: 7, token });

  it.each(['abort', 'finish'] as const)(
    '%s: what it does to its part is nothing to that of the next run',
    async (end) => {
      const dir = path.join(root, `overtaken-${end}`);
      await mkdir(dir);
      const overtaken = await makePart(dir, '0a1b');
      await overtaken.append(makePage(0, 0, 10));
      const next = await makePart(dir, '2c3d');
      await next.append(makePage(0, 0, 20));
      await overtaken[end]();
      const { file, rows } = await next.finish();
      expect(rows).toBe(20);
      await withConnection(root, {}, async (connection) => {
        const [found] = await queryRows(connection, `SELECT count(*) AS keys FROM ${quote(path.join(dir, file))}`);
        expect(found).toEqual({ keys: 20 });
      });
      expect(await listParts(dir)).toContain(file);
      expect((await readdir(dir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  );

  it('is asked before its part has a name, and leaves none when it may not', async () => {
    const dir = path.join(root, 'asked');
    await mkdir(dir);
    const writer = await makePart(dir, '0a1b');
    await writer.append(makePage(0, 0, 10));
    const ended = writer.finish(async () => {
      throw new Error('lease lost');
    });
    await expect(ended).rejects.toThrow('lease lost');
    expect(await readdir(dir)).toEqual([]);
  });
});
