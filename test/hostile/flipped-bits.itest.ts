import { randomBytes } from 'node:crypto';
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../lib/model/errors';
import { readFindings } from '../../lib/rules/findings/read-findings';
import { toPolicy } from '../../lib/rules/policy/effective-policy';
import { getRulesFolder } from '../../lib/rules/policy/rules-folder';
import { presets } from '../../lib/rules/profiles/presets';
import { computeChecksums, findDamaged } from '../../lib/snapshots/folder/checksums';
import { readManifest } from '../../lib/snapshots/folder/manifest';
import { writeServerFile } from '../../lib/snapshots/folder/server-file';
import { writeValueSamples } from '../../lib/snapshots/folder/value-samples-file';
import type { SnapshotRef } from '../../lib/snapshots/query/with-source';
import { runReport } from '../../lib/snapshots/reports/run-report';
import { makeRollup } from '../../lib/snapshots/rollup/make-rollup';
import { ALL_TABLES, getTableFile, readRollupMeta } from '../../lib/snapshots/rollup/rollup-folder';
import { LONG } from '../long-form.mjs';
import { makeAudit } from '../snapshots/made-audit';
import { madeRows } from '../snapshots/made-rows';
import { dataFolder, makeSealed } from '../snapshots/make-snapshot';

/** A disk that returns other bits than were written must never lead to a wrong number on a page. */
const TRIALS = LONG ? 60 : 4;
/** Timeout of the test in ms, so that nothing hangs. */
const LONG_MS = 30 * 60_000;
let folder: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  folder = await dataFolder();
});
afterAll(() => folder.clean());

/** Flips a bit of the file; the bits are spread over the file and the same each time. */
async function flipBit(file: string, trial: number): Promise<void> {
  const bytes = await readFile(file);
  const at = Math.floor(((trial % TRIALS) + 0.5) * (bytes.length / TRIALS));
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
      await flipBit(getTableFile(ref.dir, table), ALL_TABLES.indexOf(table) + 1);
      let missing = 0;
      // Results are cached by the id of the snapshot, so it gets a new id.
      const again = { ...ref, manifest: { ...ref.manifest, id: `again-${table}` } };
      const { report } = await runReport(again, 'overview', {}, { onMissingRollup: () => missing++ });
      expect([table, report]).toEqual([table, plain]);
      expect([table, missing, await readRollupMeta(ref)]).toEqual([table, 1, null]);
    }
  });
});

/** Runs the queries of the pages on a snapshot, using only its manifest. */
async function askAll(dir: string, policy = toPolicy(presets.get('S1')!)): Promise<unknown> {
  const ref: SnapshotRef = { dir, manifest: await readManifest(dir) };
  const { evaluatedInMs: _, ...findings } = await readFindings(ref, policy, {});
  const { report: tree } = await runReport(ref, 'tree', {});
  const { report: overview } = await runReport(ref, 'overview', {});
  return { manifest: ref.manifest, findings, tree, overview };
}

/** Flips bits that depend on the seed, the same each time. */
function flipSeeded(bytes: Buffer, seed: number): Buffer {
  const at = Math.imul(seed + 1, 2654435761) >>> 0;
  const flipped = Buffer.from(bytes);
  flipped[at % bytes.length]! ^= 1 << (at % 8);
  return flipped;
}

describe('a flipped bit in what lies beside the keys', () => {
  const places = LONG ? 40 : 1;
  const policy = toPolicy(presets.get('S1')!);
  const dir = () => path.join(folder.root, 'whole');
  let before: unknown;
  let files: string[];
  beforeAll(async () => {
    await mkdir(dir());
    await writeServerFile(dir(), makeAudit({ uptimeSeconds: 600 }));
    const looked = [{ name: 'user:1', bytes: 9, kinds: ['email' as const] }];
    await writeValueSamples(dir(), { chosen: 1, denied: false, looked });
    await makeRollup(await makeSealed(folder.root, 'whole', madeRows(120, 7)));
    before = await askAll(dir());
    const inside = await readdir(dir(), { recursive: true, withFileTypes: true });
    files = inside
      .filter((one) => one.isFile())
      .map((one) => path.relative(dir(), path.join(one.parentPath, one.name)));
  });

  it(
    'is told, or mended, and no number is another one',
    async () => {
      const refusing = new Set<string>();
      for (const [nth, file] of files.entries())
        for (let place = 0; place < places; place++) {
          const copy = path.join(folder.root, `copy${nth}x${place}`);
          await cp(dir(), copy, { recursive: true });
          const flipped = flipSeeded(await readFile(path.join(copy, file)), nth * 100 + place);
          await writeFile(path.join(copy, file), flipped);
          const answer = await askAll(copy).catch((error) => {
            expect(error, file).toBeInstanceOf(AppError);
            expect([file, error.code, error.details]).toEqual([file, 'snapshot_damaged', { damaged: [file] }]);
            refusing.add(file);
            return before;
          });
          expect([file, place, answer]).toEqual([file, place, before]);
          await rm(copy, { recursive: true });
        }
      expect([...refusing].sort()).toEqual(['keys-0000.parquet', 'server.json', 'snapshot.json']);
      expect(
        files.some((file) => file.startsWith('rollup-')) && files.some((file) => file.endsWith('groups.json')),
      ).toBe(true);
    },
    LONG_MS,
  );

  it('in findings is mended for good', async () => {
    const ours = path.relative(dir(), getRulesFolder(dir(), policy.hash));
    for (const file of files.filter((one) => one.startsWith(ours))) {
      const copy = path.join(folder.root, `mended-${path.basename(file)}`);
      await cp(dir(), copy, { recursive: true });
      const sound = await readFile(path.join(copy, file));
      await writeFile(path.join(copy, file), flipSeeded(sound, 1));
      await askAll(copy);
      const again = path.join(folder.root, `again-${path.basename(file)}`);
      await cp(copy, again, { recursive: true });
      expect([file, await askAll(again)]).toEqual([file, before]);
      expect((await readFile(path.join(again, file))).equals(flipSeeded(sound, 1))).toBe(false);
    }
  });

  it('is refused as a file that is lost is', async () => {
    const copy = path.join(folder.root, 'lost');
    await cp(dir(), copy, { recursive: true });
    await rm(path.join(copy, 'server.json'));
    await rm(getRulesFolder(copy, policy.hash), { recursive: true });
    await expect(askAll(copy)).rejects.toMatchObject({
      code: 'snapshot_unreadable',
      details: { missing: ['server.json'] },
    });
  });
});

it('of files that are too large to wait for, a look goes on beside the answers', async () => {
  const file = 'large.bin';
  await writeFile(path.join(folder.root, file), randomBytes(40 * 1024 ** 2));
  const sums = await computeChecksums(folder.root, [file]);
  await flipBit(path.join(folder.root, file), 3);
  expect(await findDamaged(folder.root, sums, [file])).toEqual([]);
  await expect.poll(() => findDamaged(folder.root, sums, [file]), { timeout: 60_000 }).toEqual([file]);
});
