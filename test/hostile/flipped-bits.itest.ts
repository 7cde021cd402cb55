import { randomBytes } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runReport } from '../../lib/reports/run-report';
import { makeRollup } from '../../lib/rollup/make-rollup';
import { ALL_TABLES, readRollupMeta, tableFile } from '../../lib/rollup/rollup-folder';
import { checksumsOf, findDamaged } from '../../lib/snapshots/folder/checksums';
import { type SnapshotRef, withSource } from '../../lib/snapshots/query/with-source';
import { LONG } from '../long-form.mjs';
import { madeRows } from '../snapshots/made-rows';
import { dataFolder, makeSealed } from '../snapshots/make-snapshot';

/** A disk that returns other bits than were written: never another number on a page. */
const TRIALS = LONG ? 60 : 14;
let folder: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  folder = await dataFolder();
});
afterAll(() => folder.clean());

/** Bits spread over the file, the same each time. */
async function flipBit(file: string, trial: number): Promise<void> {
  const bytes = await readFile(file);
  const at = Math.floor((trial + 0.5) * (bytes.length / TRIALS));
  bytes[at] = bytes[at]! ^ (1 << (trial % 8));
  await writeFile(file, bytes);
}

describe('a flipped bit', () => {
  it('in the keys is damage that is said, with the file and what to do, until they are put back', async () => {
    for (let trial = 0; trial < TRIALS; trial++) {
      const ref = await makeSealed(folder.root, `flip${trial}`, madeRows(300, 5));
      const [file] = ref.manifest.files;
      const keys = path.join(ref.dir, file!);
      await copyFile(keys, `${keys}.backup`);
      await flipBit(keys, trial);
      for (const name of ['keys', 'overview', 'slots'] as const)
        await expect(runReport(ref, name, {})).rejects.toMatchObject({
          code: 'snapshot_damaged',
          message: expect.stringMatching(/backup.*scan again/),
          details: { damaged: [file] },
        });
      await writeFile(keys, await readFile(`${keys}.backup`));
      expect((await runReport(ref, 'overview', {})).report).toMatchObject({ keys: ref.manifest.keys });
    }
  });

  it('in the roll-up costs time: the keys answer, and it is made anew', async () => {
    for (const table of ALL_TABLES) {
      const ref = await makeSealed(folder.root, `rolled-${table}`, madeRows(600, 6));
      const { report: plain } = await runReport(ref, 'overview', {});
      await makeRollup(ref);
      await flipBit(tableFile(ref.dir, table), ALL_TABLES.indexOf(table) + 1);
      let missing = 0;
      // Answers are kept by the id of the snapshot.
      const again = { ...ref, manifest: { ...ref.manifest, id: `again-${table}` } };
      const { report } = await runReport(again, 'overview', {}, { onMissingRollup: () => missing++ });
      expect([table, report]).toEqual([table, plain]);
      expect([table, missing, await readRollupMeta(ref)]).toEqual([table, 1, null]);
    }
  });
});

it('of files that are too large to wait for, a look goes on beside the answers', async () => {
  const file = 'large.bin';
  await writeFile(path.join(folder.root, file), randomBytes(40 * 1024 ** 2));
  const sums = await checksumsOf(folder.root, [file]);
  await flipBit(path.join(folder.root, file), 3);
  expect(await findDamaged(folder.root, sums, [file])).toEqual([]);
  await expect.poll(() => findDamaged(folder.root, sums, [file]), { timeout: 60_000 }).toEqual([file]);
});

it('a snapshot without checksums is read as it is', async () => {
  const sealed = await makeSealed(folder.root, 'former', madeRows(50, 3));
  const { checksums: _, ...manifest } = sealed.manifest;
  const ref: SnapshotRef = { ...sealed, manifest };
  const rows = await withSource(ref, (source) => source.query(`SELECT count(*) AS n FROM ${source.keys}`));
  expect(rows).toEqual([{ n: manifest.keys }]);
});
