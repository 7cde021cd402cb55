import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queryRows, quote, withConnection } from '@/lib/snapshots/query/duckdb';
import { HOSTILE, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, writeParts } from '@/test/snapshots/make-snapshot';

let root: string;
let clean: () => Promise<void>;
beforeAll(async () => ({ root, clean } = await dataFolder()));
afterAll(() => clean());

const HUNDRED_LONG = Array.from({ length: 100 }, (_, i) => Buffer.alloc(5000 + i, 'n'));

/** Later parts of a scan are compressed; the first are not. Whoever reads them must not see a difference. */
it('writes the same rows with and without compression', async () => {
  const rows = madeRows(70_000).map((row) => ({ ...row, node: 1, db: 0 }));
  const odd = [...HOSTILE, ...HUNDRED_LONG].map((bytesOfName) => ({ ...rows[0]!, bytesOfName }));
  const all = [...rows, ...odd];
  const early = path.join(root, 'early');
  const late = path.join(root, 'late');
  const [first] = await writeParts(early, all, all.length, 1);
  const [ninth] = await writeParts(late, all, all.length, 9);
  await withConnection(root, {}, async (connection) => {
    const read = (file: string) => `SELECT * EXCLUDE (sequence) FROM read_parquet(${quote(file)})`;
    const files = [path.join(early, first!), path.join(late, ninth!)] as const;
    const differing = (a: string, b: string) =>
      queryRows<{ n: number }>(connection, `SELECT count(*) AS n FROM (${read(a)} EXCEPT ALL ${read(b)})`);
    expect(await differing(files[0], files[1])).toEqual([{ n: 0 }]);
    expect(await differing(files[1], files[0])).toEqual([{ n: 0 }]);
    const codecs = await queryRows<{ file: string; codec: string; bytes: number; plain: number }>(
      connection,
      `SELECT parse_filename(file_name) AS file, compression AS codec, sum(total_compressed_size)::DOUBLE AS bytes,
         sum(total_uncompressed_size)::DOUBLE AS plain
       FROM parquet_metadata([${files.map(quote).join(', ')}]) WHERE path_in_schema = 'name' GROUP BY ALL ORDER BY file`,
    );
    expect(codecs.map(({ file, codec }) => [file, codec])).toEqual([
      [first, 'UNCOMPRESSED'],
      [ninth, 'GZIP'],
    ]);
    expect(codecs[1]!.plain).toBe(codecs[0]!.bytes);
    expect(codecs[1]!.bytes).toBeLessThan(codecs[0]!.bytes / 2);
  });
});
