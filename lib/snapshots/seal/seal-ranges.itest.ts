import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STANDARD_THRESHOLDS as bigkeys } from '@/lib/model/keys/bigkey-thresholds';
import { displayName } from '@/lib/model/keys/display-name';
import { NO_EXPIRY } from '@/lib/model/snapshots/facts-page';
import { runReport } from '@/lib/reports/run-report';
import { listParts } from '@/lib/snapshots/folder/folder';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { withSource } from '@/lib/snapshots/query/with-source';
import { LONG } from '@/test/long-form.mjs';
import { bundledProgram } from '@/test/servers/bundled-program';
import { type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, manifestOf, writeParts } from '@/test/snapshots/make-snapshot';
import { TINY } from '@/test/snapshots/tiny-ranges';
import type { SealLimits } from './seal-limits';
import { type SealProgress, sealSnapshot } from './seal-snapshot';
import { sealedStats } from './sealed-stats';
import { sealingStands } from './sealing-state';
import { sortPart } from './sort-part';
import { sortedCopyOf } from './sorted-copies';

/** Sealing as it is for a hundred million keys, with runs and ranges of a few hundred. */
let root: string;
let clean: () => Promise<void>;
beforeAll(async () => ({ root, clean } = await dataFolder()));
afterAll(() => clean());

const made = (name: Buffer | string, over: Partial<MadeRow> = {}): MadeRow => ({
  bytesOfName: Buffer.from(name as string),
  node: 0,
  db: 0,
  type: 'string',
  encoding: 'raw',
  expireAt: NO_EXPIRY,
  bytes: 60,
  length: 1,
  idle: 0,
  freq: -1,
  ...over,
});

const seal = async (dir: string, limits: Partial<SealLimits> = TINY, onProgress?: (p: SealProgress) => void) =>
  sealSnapshot(dir, await listParts(dir), {
    limits,
    ...(onProgress && { onProgress }),
    manifest: ({ keys, fileBytes }) => manifestOf({ id: path.basename(dir), state: 'sealed', keys, fileBytes }),
  });

/** What identifies a key, and one fact that tells which of its rows was kept. */
interface SealedRow {
  name: string;
  db: number;
  raw: string;
  sha256: string;
  bytes: number | null;
}

/** As the files lie, without an order of the question's own. */
async function sealedRows(dir: string): Promise<SealedRow[]> {
  return withSource({ dir, manifest: await readManifest(dir) }, ({ query, keys }) =>
    query<SealedRow & Record<string, unknown>>(
      `SELECT name, db, coalesce(hex(raw), '') AS raw, coalesce(sha256, '') AS sha256, bytes FROM ${keys}`,
    ),
  );
}

/** The same by hand: the last row of each key as they were written, in the order of the bytes. */
function byHand(rows: readonly MadeRow[]): SealedRow[] {
  const groups = new Map<string, MadeRow[]>();
  for (const row of rows) groups.set(`${row.node}/${row.db}`, [...(groups.get(`${row.node}/${row.db}`) ?? []), row]);
  const keys = new Map<string, SealedRow>();
  for (const { bytesOfName, db, bytes } of [...groups.values()].flat()) {
    const long = bytesOfName.length > 4096;
    const { name, exact } = displayName(long ? bytesOfName.subarray(0, 512) : bytesOfName);
    keys.set(`${db}:${bytesOfName.toString('hex')}`, {
      name,
      db,
      raw: exact ? '' : (long ? bytesOfName.subarray(0, 512) : bytesOfName).toString('hex').toUpperCase(),
      sha256: long ? createHash('sha256').update(bytesOfName).digest('hex') : '',
      bytes,
    });
  }
  const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  return [...keys.values()].sort(
    (a, b) => compare(a.name, b.name) || a.db - b.db || compare(a.raw, b.raw) || compare(a.sha256, b.sha256),
  );
}

/** Everything that makes sealing hard, shuffled over parts: met again, in other databases, of odd bytes, long. */
function hardRows(): MadeRow[] {
  const shared = Array.from({ length: 600 }, (_, i) => made(`same:${i % 5}`, { db: i % 120 }));
  const odd = Array.from({ length: 300 }, (_, i) =>
    made(Buffer.concat([Buffer.from('odd:'), randomBytes(1 + (i % 9))])),
  );
  const long = Array.from({ length: 20 }, (_, i) => made(`${'long'.repeat(1200)}${i % 10}`));
  const all = [...madeRows(3000).map((row) => ({ ...row, node: 0 })), ...shared, ...odd, ...long];
  const again = [...all, ...all.filter((_, i) => i % 3 === 0), ...all.filter((_, i) => i % 7 === 0)];
  return again.map((row, i) => ({ ...row, bytes: i }));
}

const fingerprints = (dir: string) =>
  Object.fromEntries(
    readdirSync(dir)
      .filter((name) => name.startsWith('keys'))
      .sort()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(path.join(dir, name)))
          .digest('hex'),
      ]),
  );

describe('many runs and ranges', () => {
  it.each([1, 2])(
    'give what sorting and comparing by hand gives, in the order of names, %s at a time',
    async (atOnce) => {
      const dir = path.join(root, atOnce === 2 ? 'hard' : 'hard-one-at-a-time');
      const rows = hardRows();
      const parts = await writeParts(dir, rows, 300);
      const stages: SealProgress[] = [];
      const stats = await seal(dir, { ...TINY, atOnce }, (progress) => stages.push(progress));
      const expected = byHand(rows);
      const { files } = await readManifest(dir);
      expect(files.length).toBeGreaterThan(6);
      expect(await sealedRows(dir)).toEqual(expected);
      expect(stats).toMatchObject({ keys: expected.length, duplicatesRemoved: rows.length - expected.length });
      expect(parts.length).toBeGreaterThan(10);
      expect(readdirSync(dir).sort()).toEqual([...files, 'snapshot.json']);
      // The share only grows within a stage, and both stages end whole.
      for (const stage of ['sorting', 'sealing'] as const) {
        const shares = stages.filter((p) => p.stage === stage).map((p) => p.done / p.total);
        expect(shares).toEqual([...shares].sort((a, b) => a - b));
        expect(shares.length).toBeGreaterThan(3);
        expect(shares.at(-1)).toBeGreaterThan(0.6);
      }
      expect(stages.at(-1)).toEqual({ stage: 'sealing', done: rows.length, total: rows.length });
    },
  );

  it('list their keys page after page in order, from the file where the page begins', async () => {
    const dir = path.join(root, 'hard');
    const ref = { dir, manifest: await readManifest(dir) };
    const expected = (await sealedRows(dir)).map(({ name, db }) => [name, db]);
    const listed = [];
    let cursor: string | undefined;
    do {
      const { report } = await runReport(ref, 'keys', { limit: 97, cursor });
      listed.push(...report.rows.map(({ name, db }) => [name, db]));
      cursor = report.nextCursor ?? undefined;
    } while (cursor);
    expect(listed).toEqual(expected);
    const { report } = await runReport(ref, 'keys', { prefix: 'shop:user:', limit: 1000 });
    expect(report.rows.map((row) => row.name)).toEqual(
      expected
        .map(([name]) => name as string)
        .filter((name) => name.startsWith('shop:user:'))
        .slice(0, 1000),
    );
  });

  it.runIf(LONG)('are the same as one range of all', async () => {
    const dir = path.join(root, 'one-range');
    const rows = hardRows();
    await writeParts(dir, rows, 300);
    await seal(dir, {});
    expect((await readManifest(dir)).files).toEqual(['keys-0000.parquet']);
    expect(await sealedRows(dir)).toEqual(byHand(rows));
  });

  it('keep names apart that a hash takes for one', async () => {
    const names = [3296481, 3296487].flatMap((n) => [`im:{room:${n}}:member:${n}`, `im:{room:${n}}:members`]);
    const rows = [...madeRows(2000), ...names.map((name) => made(name)), ...names.map((name) => made(name))];
    const dir = path.join(root, 'alike');
    await writeParts(dir, rows, 300);
    await seal(dir);
    const found = (await sealedRows(dir)).map((row) => row.name).filter((name) => names.includes(name));
    expect(found).toEqual([...names].sort());
  });

  it('take parts that were sorted before, and leave nothing of them', async () => {
    const dir = path.join(root, 'sorted');
    const rows = hardRows();
    const parts = await writeParts(dir, rows, 300);
    for (const part of [...parts.slice(0, 6), ...parts.slice(9, 11)]) await sortPart(dir, part, { bigkeys });
    // One that belongs to other rows, one that was not finished: neither is taken.
    await cp(path.join(dir, sortedCopyOf(parts[0]!)), path.join(dir, sortedCopyOf(parts.at(-1)!)));
    await cp(path.join(dir, sortedCopyOf(parts[1]!)), path.join(dir, `${sortedCopyOf(parts[7]!)}.tmp`));
    const state = path.join(dir, 'sealing.json');
    const states: string[] = [];
    await seal(dir, TINY, () => existsSync(state) && states.push(readFileSync(state, 'utf8')));
    const { runs } = JSON.parse(states.at(-1)!) as { runs: { file: string }[] };
    expect(runs.map(({ file }) => file).filter((file) => file.startsWith('sorted-'))).toHaveLength(8);
    expect(runs.length).toBeGreaterThan(9);
    expect(await sealedRows(dir)).toEqual(byHand(rows));
    expect(readdirSync(dir).filter((name) => !/^(keys-\d+\.parquet|snapshot\.json)$/.test(name))).toEqual([]);
  });

  it('seal any keyspace as by hand', { timeout: 400_000 }, async () => {
    let run = 0;
    const name = fc.oneof(
      fc.constantFrom('a', 'a:b', 'ab', 'é', '\\xff', '{}'),
      fc.string({ maxLength: 3, unit: 'binary' }),
      fc.uint8Array({ minLength: 0, maxLength: 3 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    );
    const row = fc.record({ name, latin: fc.boolean(), db: fc.integer({ min: 0, max: 2 }), node: fc.nat({ max: 1 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 120 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 30 }),
        fc.infiniteStream(fc.boolean()),
        async (keys, partRows, runRows, rangeRows, sorted) => {
          const dir = path.join(root, `any-${run++}`);
          const rows = keys.map((key, i) =>
            made(Buffer.from(key.name, key.latin ? 'latin1' : 'utf8'), { db: key.db, node: key.node, bytes: i }),
          );
          for (const part of await writeParts(dir, rows, partRows))
            if (sorted.next().value) await sortPart(dir, part, { bigkeys });
          const stats = await seal(dir, { runRows, rangeRows, runParts: 3 });
          expect(await sealedRows(dir)).toEqual(byHand(rows));
          expect(stats.duplicatesRemoved).toBe(rows.length - stats.keys);
          const { files } = await readManifest(dir);
          expect(stats).toMatchObject(await sealedStats({ dir, bigkeys }, files));
        },
      ),
      { numRuns: LONG ? 40 : 6 },
    );
  });
});

describe('ended in the middle', () => {
  const killed = async (dir: string, stage: string, n: number, ms: number) => {
    const args = [await bundledProgram('test/snapshots/seal-worker.ts'), dir, stage, String(n), String(ms)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    return new Promise<string | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  };

  /** The stage, behind so many of its steps, and so many milliseconds later. */
  const KILLED_AT = [
    ['sorting', 1, 30],
    ...(LONG ? ([['sorting', 3, 5]] as const) : []),
    ['sorting', 3, 0],
    ...(LONG ? ([['sealing', 2, 12]] as const) : []),
    ['sealing', 3, 1],
    ['sealing', 4, 20],
  ] as const;
  it('by kill -9 it goes on where it was, and comes to the same files', { timeout: 500_000 }, async () => {
    const whole = path.join(root, 'whole');
    const rows = hardRows();
    await writeParts(whole, rows, 300);
    const begun = path.join(root, 'begun');
    await cp(whole, begun, { recursive: true });
    await seal(whole);
    const stateOf = (dir: string) => JSON.parse(readFileSync(path.join(dir, 'sealing.json'), 'utf8'));
    let before = { runs: 0, sealed: 0 };
    let stood = await sealingStands(begun);
    for (const [stage, n, ms] of KILLED_AT) {
      expect(await killed(begun, stage, n, ms)).toBe('SIGKILL');
      if (!existsSync(path.join(begun, 'sealing.json'))) continue;
      const now = stateOf(begun);
      const after = { runs: now.runs.length, sealed: now.sealed.length };
      expect(after.runs).toBeGreaterThanOrEqual(before.runs);
      expect(after.sealed).toBeGreaterThanOrEqual(before.sealed);
      // A job that goes on is known by it from one that is taken over again and again.
      const stands = await sealingStands(begun);
      if (JSON.stringify(after) !== JSON.stringify(before)) expect(stands).not.toBe(stood);
      stood = stands;
      before = after;
    }
    expect(before.sealed).toBeGreaterThan(4);
    const stages: SealProgress[] = [];
    await seal(begun, TINY, (progress) => stages.push(progress));
    expect(stages.every((progress) => progress.stage === 'sealing')).toBe(true);
    expect(fingerprints(begun)).toEqual(fingerprints(whole));
    expect((await readManifest(begun)).files).toEqual((await readManifest(whole)).files);
    expect(await sealedRows(begun)).toEqual(byHand(rows));
    expect(readdirSync(begun).sort()).toEqual(readdirSync(whole).sort());
  });

  it('by a stop it ends at once, whatever it is at', async () => {
    const dir = path.join(root, 'stopped');
    const rows = hardRows();
    await writeParts(dir, rows, 300);
    const parts = await listParts(dir);
    for (const after of [0, 1, 4, 3, 4]) {
      const stop = new AbortController();
      let seen = 0;
      const ended = sealSnapshot(dir, parts, {
        limits: TINY,
        signal: stop.signal,
        onProgress() {
          if (seen++ === after) stop.abort();
        },
      });
      await expect(ended).rejects.toThrow(/abort/i);
      // What was at work beside it may still have told how far it was.
      expect(seen - after).toBeLessThanOrEqual(2);
      expect(await listParts(dir)).toEqual(parts);
    }
    await seal(dir);
    expect(await sealedRows(dir)).toEqual(byHand(rows));
  });

  it.runIf(LONG)('with a damaged note or a file that is gone, it begins again from the parts', async () => {
    const rows = hardRows();
    const left = path.join(root, 'left');
    await writeParts(left, rows, 300);
    await killed(left, 'sealing', 3, 0);
    for (const [id, spoil] of [
      ['note', (dir: string) => writeFileSync(path.join(dir, 'sealing.json'), '{"version":')],
      ['gone', (dir: string) => renameSync(path.join(dir, 'run-0001.parquet'), path.join(dir, 'keys-0099.parquet'))],
    ] as const) {
      const dir = path.join(root, `spoilt-${id}`);
      await cp(left, dir, { recursive: true });
      spoil(dir);
      await seal(dir);
      expect(await sealedRows(dir)).toEqual(byHand(rows));
      expect(readdirSync(dir).sort()).toEqual([...(await readManifest(dir)).files, 'snapshot.json']);
    }
  });
});

it('a description may name no file outside its folder', async () => {
  const dir = path.join(root, 'outside');
  await writeParts(dir, madeRows(10));
  await expect(writeManifest(dir, manifestOf({ files: ['../keys-0000.parquet'] }))).rejects.toThrow();
});
