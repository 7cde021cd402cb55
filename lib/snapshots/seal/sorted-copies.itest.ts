import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BigkeyThresholds, STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import { listParts } from '@/lib/snapshots/folder/folder';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { LONG } from '@/test/long-form.mjs';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, manifestOf, writeParts } from '@/test/snapshots/make-snapshot';
import type { SealLimits } from './seal-limits';
import { sealSnapshot } from './seal-snapshot';
import { sealedStats } from './sealed-stats';
import { sortPart } from './sort-part';
import { knownCopies, sortedCopyOf } from './sorted-copies';

let root: string;
let clean: () => Promise<void>;
beforeAll(async () => ({ root, clean } = await dataFolder()));
afterAll(() => clean());

const bigkeys = STANDARD_THRESHOLDS;

const seal = async (dir: string, limits: Partial<SealLimits>, counted: BigkeyThresholds = bigkeys) =>
  sealSnapshot(dir, await listParts(dir), {
    limits,
    bigkeys: counted,
    manifest: ({ keys, fileBytes }) => manifestOf({ id: path.basename(dir), state: 'sealed', keys, fileBytes }),
  });

/** A folder of parts that are all sorted. */
async function sorted(name: string, rows: number, partRows: number) {
  const dir = path.join(root, name);
  const all = madeRows(rows).map((row, i) => ({ ...row, db: 0, bytesOfName: Buffer.from(`k:${i % 1000}:${i}`) }));
  const parts = await writeParts(dir, all, partRows);
  for (const part of parts) await sortPart(dir, part, { bigkeys });
  return { dir, parts };
}

/** Counted of the sealed files, whatever is known. */
const countedAnew = async (dir: string, counted: BigkeyThresholds) =>
  sealedStats({ dir, bigkeys: counted }, (await readManifest(dir)).files);

interface Sealing {
  name: string;
  rows: number;
  partRows: number;
  limits: Partial<SealLimits>;
}
/** The narrowest ranges for which samples of the copies do, and more rows than one of them takes. */
const FEW: Sealing[] = [
  { name: 'narrow', rows: 80_000, partRows: 27_000, limits: { directRows: 30_000, rangeRows: 65_536 } },
  // Of each fewer rows than lie between two samples.
  { name: 'short', rows: 80_000, partRows: 2000, limits: { directRows: 30_000, rangeRows: 65_536 } },
];
const MANY: Sealing[] = [
  { name: 'usual', rows: 300_000, partRows: 100_000, limits: {} },
  { name: 'narrow', rows: 150_000, partRows: 50_000, limits: { directRows: 60_000, rangeRows: 65_536 } },
  { name: 'short', rows: 210_000, partRows: 1000, limits: { directRows: 60_000 } },
];
it.each(LONG ? MANY : FEW)(
  'come to the same files and figures with what is known of $name ones, and without',
  {
    timeout: 120_000,
  },
  async ({ name, rows, partRows, limits }) => {
    const { dir, parts } = await sorted(name, rows, partRows);
    const known = await knownCopies(dir, parts);
    expect([...known.keys()]).toEqual(parts);
    expect([...known.values()].flatMap(({ samples }) => samples).length).toBeGreaterThan(rows / 2100);
    // Of a copy of the folder nothing is known.
    const other = path.join(root, `unknown-${name}`);
    await cp(dir, other, { recursive: true });
    expect((await knownCopies(other, parts)).size).toBe(0);
    const stats = await seal(dir, limits);
    expect(await seal(other, limits)).toEqual(stats);
    expect(stats).toMatchObject(await countedAnew(dir, bigkeys));
    expect(stats.bigkeys).toBeGreaterThan(0);
    const { files } = await readManifest(dir);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files)
      expect(readFileSync(path.join(dir, file)).equals(readFileSync(path.join(other, file)))).toBe(true);
    expect((await knownCopies(dir, parts)).size).toBe(0);
  },
);

it('are unknown again once another file lies in their place', async () => {
  const { dir, parts } = await sorted('over', 400, 200);
  await cp(path.join(dir, sortedCopyOf(parts[1]!)), path.join(dir, sortedCopyOf(parts[0]!)));
  expect([...(await knownCopies(dir, parts)).keys()]).toEqual(parts.slice(1));
});

it('are counted anew with other thresholds', async () => {
  const { dir } = await sorted('thresholds', 900, 300);
  const lower = { ...bigkeys, stringBytes: 1 };
  const stats = await seal(dir, { directRows: 100 }, lower);
  expect(stats).toMatchObject(await countedAnew(dir, lower));
  expect(stats.bigkeys).toBeGreaterThan((await countedAnew(dir, bigkeys)).bigkeys);
});
