import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listParts } from '@/lib/snapshots/folder/folder';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { withSource } from '@/lib/snapshots/query/with-source';
import { type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, manifestOf, writeParts } from '@/test/snapshots/make-snapshot';
import type { SealLimits } from './seal-limits';
import { sealSnapshot } from './seal-snapshot';
import type { SealingState } from './sealing-state';

let root: string;
let clean: () => Promise<void>;
beforeAll(async () => ({ root, clean } = await dataFolder()));
afterAll(() => clean());

/** Seals and answers what was last noted on the way. */
async function sealed(dir: string, limits: Partial<SealLimits>): Promise<SealingState> {
  const note = path.join(dir, 'sealing.json');
  let last = '';
  await sealSnapshot(dir, await listParts(dir), {
    limits,
    manifest: ({ keys, fileBytes }) => manifestOf({ id: path.basename(dir), state: 'sealed', keys, fileBytes }),
    onProgress: () => {
      if (existsSync(note)) last = readFileSync(note, 'utf8');
    },
  });
  return JSON.parse(last);
}

const oneNode = (rows: MadeRow[]) => rows.map((row) => ({ ...row, node: 0, db: 0 }));

it('sorts a tenth of a snapshot at once, so that little is spilled', async () => {
  const dir = path.join(root, 'tenth');
  const rows = oneNode(madeRows(6000));
  await writeParts(dir, rows, 100);
  const { runs } = await sealed(dir, { runRows: 5000, shortRunRows: 300 });
  expect(runs.reduce((sum, run) => sum + run.rows, 0)).toBe(rows.length);
  expect(Math.max(...runs.map((run) => run.rows))).toBeLessThanOrEqual(0.105 * rows.length);
  expect(runs.length).toBeGreaterThanOrEqual(10);
  // Of a small one a tenth would be many short runs.
  const small = path.join(root, 'small');
  await writeParts(small, rows.slice(0, 900), 100);
  const { runs: few } = await sealed(small, { runRows: 5000, shortRunRows: 300, directRows: 100 });
  expect(few.map((run) => run.rows)).toEqual([300, 300, 300]);
});

/** 1,500 names of 10 bytes, then 300 of 1,000, of letters: the column of templates holds these once more. */
const mixed = (): MadeRow[] => {
  const [model] = madeRows(1);
  const letters = (i: number) => Array.from(String(i), (digit) => 'abcdefghij'[Number(digit)]).join('');
  const name = (i: number) => (i < 1500 ? `a:${String(i).padStart(8, '0')}` : `b:${'x'.repeat(994)}${letters(i)}`);
  return Array.from({ length: 1800 }, (_, i) => ({ ...model!, node: 0, db: 0, bytesOfName: Buffer.from(name(i)) }));
};

it('cuts ranges by what their own rows take, however long those of others are', async () => {
  const dir = path.join(root, 'long');
  await writeParts(dir, mixed(), 300);
  const rangeBytes = 200_000;
  const limits = { runRows: 600, directRows: 100, rangeBytes };
  const { ranges } = await sealed(dir, limits);
  const { files } = await readManifest(dir);
  const held = await Promise.all(
    files.map((file) =>
      withSource({ dir, manifest: manifestOf({ state: 'sealed', files: [file] }) }, ({ query, keys }) =>
        query<{ rows: number; bytes: number; named: number }>(
          `SELECT count(*) AS rows, sum(strlen(name) + strlen(template))::DOUBLE AS bytes, avg(strlen(name)) AS named FROM ${keys}`,
        ),
      ),
    ),
  );
  const all = held.map(([range]) => range!);
  expect(all.reduce((sum, range) => sum + range.rows, 0)).toBe(1800);
  for (const range of all) expect(range.bytes).toBeLessThanOrEqual(1.3 * rangeBytes);
  const long = all.filter((range) => range.named > 900);
  const short = all.filter((range) => range.named < 20);
  expect(Math.max(...short.map((range) => range.rows))).toBeGreaterThan(3 * Math.max(...long.map((r) => r.rows)));
  for (const { rowBytes } of ranges!) expect(rowBytes).toBeGreaterThan(128);
});
