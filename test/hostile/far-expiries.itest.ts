import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KeyFilter } from '@/lib/model/filter';
import { ReportQuery } from '@/lib/model/reports/query';
import { MAX_EXPIRE_AT } from '@/lib/model/snapshots/facts-page';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { streamKeyExport } from '@/lib/snapshots/reports/export/stream-key-export';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { freshFolder, type Scanned, scanWhole } from '../scans/scan';
import { type RedisServer, startRedis } from '../servers/redis';
import { pour } from '../servers/seed';
import { AS_OF, type MadeRow } from '../snapshots/made-rows';
import { makeManifest, writeParts } from '../snapshots/make-snapshot';

/** Expiries that the server accepts and no calendar can show. */
const FAR = ['9223372036854775', '9223372036854', '300000000000'];
const KEYS = 3000;

let server: RedisServer;
let scanned: Scanned;
beforeAll(async () => {
  server = await startRedis();
  await pour(server.client(), [
    ...FAR.map((at, i) => ['SET', `far:${i}`, 'x', 'EXAT', at]),
    ...Array.from({ length: KEYS }, (_, i) => ['SET', `near:${i}`, 'x', 'EX', String(600 + (i % 3000))]),
  ]);
  scanned = await scanWhole([server]);
});
afterAll(() => server.stop());

it('a scan of keys with the largest expiries seals, and says the end of the calendar', () => {
  expect(scanned.manifest).toMatchObject({ state: 'sealed', keys: KEYS + FAR.length });
  const far = scanned.rows.filter((row) => row.name.startsWith('far:'));
  expect(far.map((row) => row.expireAt)).toEqual(FAR.map(() => MAX_EXPIRE_AT));
});

it('exports hold every row in all formats', async () => {
  const { dir, manifest } = scanned;
  for (const format of ['csv', 'jsonl', 'parquet'] as const) {
    const { stream } = await streamKeyExport({ dir, manifest }, KeyFilter.parse({}), format);
    const file = Buffer.from(await new Response(stream).arrayBuffer());
    if (format === 'parquet') expect(file.subarray(-4).toString()).toBe('PAR1');
    else expect(file.toString().trim().split('\n')).toHaveLength(KEYS + FAR.length + (format === 'csv' ? 1 : 0));
  }
});

it('pages by -ttl show each key once', async () => {
  expect(await allNames(scanned, '-ttl')).toBe(KEYS + FAR.length);
  expect(await allNames(scanned, 'ttl')).toBe(KEYS + FAR.length);
});

it('the timeline shows the hour in which all but three keys expire, and tells of those three', async () => {
  const { dir, manifest } = scanned;
  const { report } = await runReport({ dir, manifest }, 'ttl', ReportQuery.parse({}));
  expect(report.timeline.length).toBeGreaterThan(20);
  expect(report.timeline.reduce((sum, point) => sum + point.keys, 0)).toBe(KEYS);
  expect(report.later).toMatchObject({ keys: FAR.length });
  expect(report.any.keys).toBe(KEYS + FAR.length);
});

it('one key in five hundred years does not flatten the timeline either', async () => {
  const near = Array.from({ length: 1000 }, (_, i) => made(`near:${i}`, AS_OF + 600_000 + i * 3000));
  const { report } = await runReport(
    await sealedBefore([made('late', AS_OF + 1.6e13), ...near]),
    'ttl',
    ReportQuery.parse({}),
  );
  expect(report.timeline.length).toBeGreaterThan(20);
  expect(report.later.keys).toBe(1);
});

it('parts that were written before, with numbers that no column holds, are read and sealed', async () => {
  const rows = [
    made('a', 2 ** 63),
    made('b', 9.1e18),
    made('c', 8.7e15),
    { ...made('d', AS_OF + 1000), bytes: 2 ** 64, length: 1e19, freq: 300 },
    made('e', -2),
  ];
  const dir = join(freshFolder(), 'live');
  await writeParts(dir, rows);
  const live = makeManifest();
  await writeManifest(dir, live);
  const listed = await runReport({ dir, manifest: live }, 'keys', ReportQuery.parse({ sort: '-ttl' }));
  expect(listed.report.rows.map((row) => [row.name, row.expireAt])).toEqual([
    ['a', MAX_EXPIRE_AT],
    ['b', MAX_EXPIRE_AT],
    ['c', MAX_EXPIRE_AT],
    ['d', AS_OF + 1000],
    ['e', null],
  ]);
  expect((await sealedBefore(rows)).manifest).toMatchObject({ state: 'sealed', keys: 5 });
});

/** Reads pages of 1000 to the end; returns the number of different names. */
async function allNames({ dir, manifest }: Scanned, sort: string): Promise<number> {
  const names = new Set<string>();
  for (let cursor: string | undefined, pages = 0; pages < 50; pages++) {
    const { report } = await runReport({ dir, manifest }, 'keys', ReportQuery.parse({ sort, limit: 1000, cursor }));
    for (const row of report.rows) {
      expect(names.has(row.name)).toBe(false);
      names.add(row.name);
    }
    if (report.nextCursor === null) return names.size;
    cursor = report.nextCursor;
  }
  throw new Error('the pages never end');
}

const made = (name: string, expireAt: number): MadeRow => ({
  bytesOfName: Buffer.from(name),
  node: 0,
  db: 0,
  type: 'string',
  encoding: 'raw',
  expireAt,
  bytes: 60,
  length: 1,
  idle: 0,
  freq: -1,
});

async function sealedBefore(rows: MadeRow[]): Promise<{ dir: string; manifest: SnapshotManifest }> {
  const dir = join(freshFolder(), 'snap');
  const parts = await writeParts(dir, rows);
  await sealSnapshot(dir, parts, {
    manifest: ({ keys, fileBytes }) => makeManifest({ state: 'sealed', keys, fileBytes }),
  });
  // Without checksums, which would report the damage before the first row.
  return { dir, manifest: { ...(await readManifest(dir)), checksums: {} } };
}

it('an export that meets a damaged file is an error to its reader, never a shorter file', async () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => made(`key:${i}`, AS_OF + i));
  const ref = await sealedBefore(rows);
  const file = join(ref.dir, ref.manifest.files[0]!);
  const bytes = readFileSync(file);
  // The damage is after the first row groups, so that it is found after the first rows were sent.
  bytes.fill(0xee, Math.floor(bytes.length * 0.6), Math.floor(bytes.length * 0.6) + 4096);
  writeFileSync(file, bytes);
  for (const format of ['csv', 'jsonl'] as const) {
    const lines = streamKeyExport(ref, KeyFilter.parse({}), format)
      .then(({ stream }) => new Response(stream).text())
      .then((text) => text.split('\n').length);
    await expect(lines).rejects.toThrow();
  }
});
