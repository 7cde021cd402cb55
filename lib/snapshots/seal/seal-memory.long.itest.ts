import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listParts } from '@/lib/snapshots/folder/folder';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { createPartWriter } from '@/lib/snapshots/parts/part-writer';
import { limitMemory } from '@/lib/snapshots/query/duckdb';
import { withSource } from '@/lib/snapshots/query/with-source';
import { dataFolder, makeManifest } from '@/test/snapshots/make-snapshot';
import { sealSnapshot } from './seal-snapshot';

let root: string;
let clean: () => Promise<void>;
let original: string;
beforeAll(async () => {
  ({ root, clean } = await dataFolder());
  original = path.join(root, 'original');
  await writeLongNames(original);
});
afterAll(() => clean());

const PARTS = 4;
const PART_KEYS = 40_000;
const PAGE = 1000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Returns a name of 320 bytes in shuffled order, of letters that compress badly: 51 MB in all. */
function longName(i: number): Buffer {
  let state = (i + 1) * 2654435761;
  const letters = Array.from({ length: 300 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return LETTERS[state % LETTERS.length];
  });
  return Buffer.from(`${letters.slice(0, 6).join('')}:user:${i}:${letters.join('')}`);
}

async function writeLongNames(dir: string): Promise<void> {
  await mkdir(dir);
  for (let sequence = 0; sequence < PARTS; sequence++) {
    const writer = await createPartWriter(dir, { node: 0, db: 0, sequence });
    for (let from = 0; from < PART_KEYS; from += PAGE)
      await writer.append({
        node: 0,
        db: 0,
        count: PAGE,
        names: Array.from({ length: PAGE }, (_, i) => longName(sequence * PART_KEYS + from + i)),
        types: new Array(PAGE).fill('string'),
        encodings: new Array(PAGE).fill('raw'),
        expireAt: new Float64Array(PAGE).fill(-1),
        bytes: new Float64Array(PAGE).fill(400),
        length: new Float64Array(PAGE).fill(1),
        idleSeconds: new Float64Array(PAGE),
        freq: new Float64Array(PAGE).fill(-1),
        slot: new Uint16Array(PAGE),
        long: null,
      });
    await writer.finish();
  }
}

it.each([256, 400])('seals long names with %s MB', async (megabytes) => {
  limitMemory(megabytes);
  const dir = path.join(root, `home-${megabytes}`, 'snapshot');
  await mkdir(path.dirname(dir));
  await cp(original, dir, { recursive: true });
  const stats = await sealSnapshot(dir, await listParts(dir), {
    manifest: ({ keys, fileBytes }) => makeManifest({ id: path.basename(dir), state: 'sealed', keys, fileBytes }),
  });
  expect(stats).toMatchObject({ keys: PARTS * PART_KEYS, duplicatesRemoved: 0 });
  const [row] = await withSource({ dir, manifest: await readManifest(dir) }, ({ query, keys }) =>
    query<{ keys: number; misplaced: number }>(
      `SELECT count(*) AS keys, count(*) FILTER (name <= before) AS misplaced
       FROM (SELECT name, lag(name) OVER () AS before FROM ${keys})`,
    ),
  );
  expect(row).toEqual({ keys: PARTS * PART_KEYS, misplaced: 0 });
});
