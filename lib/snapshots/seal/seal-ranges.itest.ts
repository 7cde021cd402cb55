import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toDisplayName } from '@/lib/model/keys/display-name';
import { NO_EXPIRY } from '@/lib/model/snapshots/facts-page';
import { listParts } from '@/lib/snapshots/folder/folder';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { withSource } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { LONG } from '@/test/long-form.mjs';
import { bundledProgram } from '@/test/servers/bundled-program';
import { type MadeRow, madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeManifest, writeParts } from '@/test/snapshots/make-snapshot';
import { type SealProgress, sealSnapshot } from './seal-snapshot';

/** Tests sealing as for a hundred million keys, with files of a few thousand. */
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

const seal = async (dir: string, onProgress?: (p: SealProgress) => void) =>
  sealSnapshot(dir, await listParts(dir), {
    groupRows: 2048,
    ...(onProgress && { onProgress }),
    manifest: ({ keys, fileBytes }) => makeManifest({ id: path.basename(dir), state: 'sealed', keys, fileBytes }),
  });

/** The columns that identify a key, and one fact that shows which of its rows was kept. */
interface SealedRow {
  name: string;
  db: number;
  raw: string;
  sha256: string;
  bytes: number | null;
}

/** Returns the rows in the order of the files, without an ORDER BY. */
async function sealedRows(dir: string): Promise<SealedRow[]> {
  return withSource({ dir, manifest: await readManifest(dir) }, ({ query, keys }) =>
    query<SealedRow & Record<string, unknown>>(
      `SELECT name, db, coalesce(hex(raw), '') AS raw, coalesce(sha256, '') AS sha256, bytes FROM ${keys}`,
    ),
  );
}

/** Computes the same without the database: the last written row of each key, in the order of the bytes. */
function byHand(rows: readonly MadeRow[]): SealedRow[] {
  const groups = new Map<string, MadeRow[]>();
  for (const row of rows) groups.set(`${row.node}/${row.db}`, [...(groups.get(`${row.node}/${row.db}`) ?? []), row]);
  const keys = new Map<string, SealedRow>();
  for (const { bytesOfName, db, bytes } of [...groups.values()].flat()) {
    const long = bytesOfName.length > 4096;
    const { name, exact } = toDisplayName(long ? bytesOfName.subarray(0, 512) : bytesOfName);
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

/**
 * Returns all difficult rows, shuffled over parts: keys that were read twice, in other databases, with odd bytes, and
 * long.
 */
function hardRows(keys = 5000): MadeRow[] {
  const shared = Array.from({ length: 600 }, (_, i) => made(`same:${i % 5}`, { db: i % 120 }));
  const odd = Array.from({ length: 300 }, (_, i) =>
    made(Buffer.concat([Buffer.from('odd:'), randomBytes(1 + (i % 9))])),
  );
  const long = Array.from({ length: 20 }, (_, i) => made(`${'long'.repeat(1200)}${i % 10}`));
  const all = [...madeRows(keys).map((row) => ({ ...row, node: 0 })), ...shared, ...odd, ...long];
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

describe('many files', () => {
  it('give what sorting and comparing by hand gives, in the order of names', async () => {
    const dir = path.join(root, 'hard');
    const rows = hardRows(14_000);
    await writeParts(dir, rows, 900);
    const stages: SealProgress[] = [];
    const stats = await seal(dir, (progress) => stages.push(progress));
    const expected = byHand(rows);
    const { files, cuts } = await readManifest(dir);
    expect(files.length).toBeGreaterThan(2);
    expect(cuts).toHaveLength(files.length - 1);
    expect(await sealedRows(dir)).toEqual(expected);
    expect(stats).toMatchObject({ keys: expected.length, duplicatesRemoved: rows.length - expected.length });
    expect(
      readdirSync(dir)
        .filter((name) => !name.startsWith('.'))
        .sort(),
    ).toEqual([...files, 'snapshot.json']);
    expect(stages[0]).toEqual({ stage: 'sorting', done: 0, total: rows.length });
    expect(stages.at(-1)).toEqual({ stage: 'sealing', done: rows.length, total: rows.length });
  });

  it('list their keys page after page in order, from the file where the page begins', async () => {
    const dir = path.join(root, 'hard');
    const ref = { dir, manifest: await readManifest(dir) };
    const expected = (await sealedRows(dir)).map(({ name, db }) => [name, db]);
    const listed = [];
    let cursor: string | undefined;
    do {
      const { report } = await runReport(ref, 'keys', { limit: 977, cursor });
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

  it('hold all rows of one name in one of them', async () => {
    const dir = path.join(root, 'shared-names');
    // Whichever name it is, the first file would end between the rows of one name.
    const rows = Array.from({ length: 900 }, (_, i) => made(`shared:${String(i).padStart(4, '0')}`)).flatMap((row) =>
      Array.from({ length: 16 }, (_, db) => ({ ...row, db })),
    );
    await writeParts(
      dir,
      rows.sort((a, b) => a.db - b.db),
      4000,
    );
    await seal(dir);
    const { files, cuts } = await readManifest(dir);
    expect(files.length).toBeGreaterThan(2);
    const sealed = await sealedRows(dir);
    expect(sealed).toEqual(byHand(rows));
    let first = 0;
    for (const [index, file] of files.entries()) {
      const manifest = { ...(await readManifest(dir)), files: [file] };
      const [row] = await withSource({ dir, manifest }, ({ query, keys }) =>
        query<{ low: string; high: string; n: number }>(
          `SELECT min(name) AS low, max(name) AS high, count(*) AS n FROM ${keys}`,
        ),
      );
      expect(row!.n % 16).toBe(0);
      if (index > 0) expect(cuts![index - 1]! <= row!.low).toBe(true);
      if (index < cuts!.length) expect(row!.high < cuts![index]!).toBe(true);
      first += row!.n;
    }
    expect(first).toBe(rows.length);
  });

  it('move a name of very many keys as a whole', async () => {
    const dir = path.join(root, 'one-name');
    const long = 'l'.repeat(5000);
    const rows = [
      ...Array.from({ length: 3000 }, (_, i) => made(`a:${i}`)),
      ...Array.from({ length: 9000 }, (_, i) => made(`${long}${i}`)),
      ...Array.from({ length: 3000 }, (_, i) => made(`z:${i}`)),
    ];
    await writeParts(dir, rows, 5000);
    await seal(dir);
    expect(await sealedRows(dir)).toEqual(byHand(rows));
    const manifest = await readManifest(dir);
    const holding = manifest.files.map((file) =>
      withSource({ dir, manifest: { ...manifest, files: [file] } }, ({ query, keys }) =>
        query<{ n: number }>(`SELECT count(*) AS n FROM ${keys} WHERE sha256 IS NOT NULL`),
      ),
    );
    const counts = (await Promise.all(holding)).flatMap((rows) => rows.map(({ n }) => n));
    expect(counts.filter((n) => n > 0)).toEqual([9000]);
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

  it('seal any keyspace as by hand', { timeout: 400_000 }, async () => {
    let run = 0;
    const name = fc.oneof(
      fc.constantFrom('a', 'a:b', 'ab', 'é', '\\xff', '{}'),
      fc.string({ maxLength: 3, unit: 'binary' }),
      fc.uint8Array({ minLength: 0, maxLength: 3 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    );
    const row = fc.record({ name, latin: fc.boolean(), db: fc.integer({ min: 0, max: 2 }), node: fc.nat({ max: 1 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 120 }), fc.integer({ min: 1, max: 40 }), async (keys, partRows) => {
        const dir = path.join(root, `any-${run++}`);
        const rows = keys.map((key, i) =>
          made(Buffer.from(key.name, key.latin ? 'latin1' : 'utf8'), { db: key.db, node: key.node, bytes: i }),
        );
        await writeParts(dir, rows, partRows);
        const stats = await seal(dir);
        expect(await sealedRows(dir)).toEqual(byHand(rows));
        expect(stats.duplicatesRemoved).toBe(rows.length - stats.keys);
      }),
      { numRuns: LONG ? 40 : 6 },
    );
  });
});

describe('ended in the middle', () => {
  const killed = async (dir: string, files: number) => {
    const args = [await bundledProgram('test/snapshots/seal-worker.ts'), dir, String(files)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    return new Promise<string | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  };

  it('by kill -9 it begins anew, and comes to the same files', { timeout: 120_000 }, async () => {
    const whole = path.join(root, 'whole');
    await writeParts(whole, hardRows(), 900);
    const begun = path.join(root, 'begun');
    await cp(whole, begun, { recursive: true });
    await seal(whole);
    const parts = await listParts(begun);
    expect(await killed(begun, 1)).toBe('SIGKILL');
    expect(await listParts(begun)).toEqual(parts);
    expect(readdirSync(begun)).not.toContain('sealing.json');
    // All files exist, and only the manifest does not list them yet.
    expect(await killed(begun, 0)).toBe('SIGKILL');
    expect(readdirSync(begun)).toContain('sealing.json');
    const written = fingerprints(begun);
    const stages: SealProgress[] = [];
    await seal(begun, (progress) => stages.push(progress));
    expect(stages).toEqual([]);
    expect(fingerprints(begun)).toEqual(written);
    expect(fingerprints(begun)).toEqual(fingerprints(whole));
    expect((await readManifest(begun)).files).toEqual((await readManifest(whole)).files);
    const left = (dir: string) =>
      readdirSync(dir)
        .filter((name) => !name.startsWith('.'))
        .sort();
    expect(left(begun)).toEqual(left(whole));
  });

  it('by a stop it ends at once, and leaves nothing but the parts', async () => {
    const dir = path.join(root, 'stopped');
    const rows = hardRows();
    await writeParts(dir, rows, 900);
    const parts = await listParts(dir);
    const stop = new AbortController();
    const ended = sealSnapshot(dir, parts, {
      signal: stop.signal,
      onProgress: () => stop.abort(),
      manifest: () => makeManifest({ id: 'stopped' }),
    });
    await expect(ended).rejects.toThrow(/abort/i);
    expect(
      readdirSync(dir)
        .filter((name) => !name.startsWith('.'))
        .sort(),
    ).toEqual(parts.toSorted());
    await seal(dir);
    expect(await sealedRows(dir)).toEqual(byHand(rows));
  });

  it('with a damaged note or a file that is gone, it begins again from the parts', { timeout: 120_000 }, async () => {
    const rows = hardRows();
    const left = path.join(root, 'left');
    await writeParts(left, rows, 900);
    await killed(left, 0);
    for (const [id, spoil] of [
      ['note', (dir: string) => writeFileSync(path.join(dir, 'sealing.json'), '{"version":')],
      ['gone', (dir: string) => renameSync(path.join(dir, 'keys-0001.parquet'), path.join(dir, 'keys-0099.parquet'))],
    ] as const) {
      const dir = path.join(root, `spoilt-${id}`);
      await cp(left, dir, { recursive: true });
      spoil(dir);
      await seal(dir);
      expect(await sealedRows(dir)).toEqual(byHand(rows));
      const kept = readdirSync(dir).filter((name) => !name.startsWith('.'));
      expect(kept.sort()).toEqual([...(await readManifest(dir)).files, 'snapshot.json']);
    }
  });
});

it('a description may name no file outside its folder', async () => {
  const dir = path.join(root, 'outside');
  await writeParts(dir, madeRows(10));
  await expect(writeManifest(dir, makeManifest({ files: ['../keys-0000.parquet'] }))).rejects.toThrow();
});
