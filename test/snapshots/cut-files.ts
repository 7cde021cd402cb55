import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { computeChecksums } from '@/lib/snapshots/folder/checksums';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { sealedSql } from '@/lib/snapshots/query/columns';
import { queryRows, withConnection } from '@/lib/snapshots/query/duckdb';
import { findCutBetween } from '@/lib/snapshots/seal/sealed-files';
import { writeSorted } from '@/lib/snapshots/seal/write-sorted';

/** A few thousand keys become several files, as a hundred million do. */
export const TINY = { fileRows: 400 };

/** Cuts the one file of a small sealed snapshot between names into files of about so many rows. */
export async function cutFiles(dir: string, { fileRows }: { fileRows: number }): Promise<void> {
  const manifest = await readManifest(dir);
  const whole = `SELECT * EXCLUDE (hyperloglog) FROM (${sealedSql(dir, { files: manifest.files })})`;
  const files: string[] = [];
  const cuts: string[] = [];
  await withConnection(dir, { lane: 'work' }, async (connection) => {
    const all = await queryRows<{ name: string }>(connection, `SELECT name FROM (${whole})`);
    for (let from = 0; from < Math.max(1, all.length); ) {
      let to = Math.min(all.length, from + Math.ceil(fileRows));
      while (to < all.length && all[to]!.name === all[to - 1]!.name) to++;
      const file = `keys-${1000 + files.length}.parquet`;
      await writeSorted(connection, dir, file, `SELECT * FROM (${whole}) LIMIT ${to - from} OFFSET ${from}`, {
        groupRows: Math.ceil(fileRows),
      });
      files.push(file);
      if (from > 0) cuts.push(findCutBetween(all[from - 1]!.name, all[from]!.name));
      from = to || 1;
    }
  });
  await writeManifest(dir, { ...manifest, files, cuts, checksums: await computeChecksums(dir, files) });
  for (const file of await readdir(dir))
    if (/^keys-\d+\.parquet$/.test(file) && !files.includes(file)) await rm(path.join(dir, file));
}
