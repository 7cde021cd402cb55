import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { REPORT_ROWS, REPORTS } from '@/lib/model/reports/registry';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { getReport } from '@/lib/scans/get-report';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { makeExportFolder } from '@/lib/snapshots/query/export-file';
import { withSource } from '@/lib/snapshots/query/with-source';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { insertInstanceRow, updateInstanceRow } from '@/lib/store/instances';
import { insertSnapshot } from '@/lib/store/snapshots';
import { madeRows } from '@/test/snapshots/made-rows';
import { makeManifest, writeParts } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { exportReport } from './export-report';

const ID = 'exported0';
const NODES = 2500;
let data: ReturnType<typeof temporaryData>;
beforeAll(async () => {
  data = temporaryData();
  const dir = getSnapshotFolder(ID);
  // A level with many nodes, each of which is a pattern of its own.
  const letters = (n: number): string =>
    (n < 26 ? '' : letters(Math.floor(n / 26))) + String.fromCodePoint(97 + (n % 26));
  const rows = madeRows(4000)
    .slice(0, 4000)
    .map((row, i) => ({ ...row, bytesOfName: Buffer.from(`${letters(i % NODES)}:${i}`) }))
    // The first three keys are large strings, which are bigkeys.
    .map((row, i) => (i < 3 ? { ...row, type: 'string', encoding: 'raw', bytes: 2e8, length: 2e8 } : row));
  const parts = await writeParts(dir, rows, 1000);
  await sealSnapshot(dir, parts, {
    manifest: ({ keys, fileBytes }) =>
      makeManifest({ id: ID, state: 'sealed', keys, fileBytes, instanceId: 'i', instanceName: 'käse/../x' }),
  });
  const counts = { keys: 4000, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const row = { instanceId: 'i', jobId: null, state: 'sealed' as const, startedAt: 1, endedAt: 2, partial: false };
  await insertSnapshot({ id: ID, ...row, ...counts });
});
afterAll(() => data.remove());

async function findFile(...[name, query, shape]: [Parameters<typeof exportReport>[2], object, object?]) {
  const file = await exportReport(LOCAL_ADMIN, ID, name, query, { format: 'jsonl', ...shape });
  return { ...file, text: Buffer.from(await new Response(file.stream).arrayBuffer()).toString() };
}
const readRows = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

it('holds every node of a level and every pattern, however many pages that takes', async () => {
  const level = readRows((await findFile('tree', {})).text);
  expect(level).toHaveLength(NODES);
  expect(new Set(level.map((row) => row.node)).size).toBe(NODES);
  expect(level.reduce((n, row) => n + row.keys, 0)).toBe(4000);
  expect(level.filter(({ node }) => node.includes('more'))).toEqual([]);
  const patterns = readRows((await findFile('patterns', {})).text);
  expect(patterns).toHaveLength(NODES);
});

it('is under the filter, in the order of the page', async () => {
  const { total } = (await getReport(LOCAL_ADMIN, ID, 'keys', { type: ['hash'] })).report;
  const level = readRows((await findFile('tree', { type: ['hash'], sort: 'name' })).text);
  expect(level.reduce((n, row) => n + row.keys, 0)).toBe(total);
  expect(level.map(({ node }) => node)).toEqual(level.map(({ node }) => node).sort());
});

it.each(REPORTS)('has each table of %s, in both formats', async (name) => {
  for (const table of REPORT_ROWS[name].tableNames)
    for (const format of ['csv', 'jsonl'] as const) {
      const { text, filename, contentType } = await findFile(name, {}, { table, format });
      expect(filename).toMatch(/^colonnade-k-se-[.]{2}-x-[a-zA-Z-]+-2026-11-20\.(csv|jsonl)$/);
      expect(contentType).toContain(format === 'csv' ? 'text/csv' : 'ndjson');
      if (format === 'csv') expect(text.startsWith('\ufeff')).toBe(true);
    }
});

it.each(REPORTS)('says the same in Parquet as in JSON Lines: %s', async (name) => {
  for (const table of REPORT_ROWS[name].tableNames) {
    const wanted = readRows((await findFile(name, {}, { table })).text);
    const file = await exportReport(LOCAL_ADMIN, ID, name, {}, { format: 'parquet', table });
    expect(file.filename).toMatch(/\.parquet$/);
    expect(file.contentType).toBe('application/vnd.apache.parquet');
    const place = path.join(await makeExportFolder(getSnapshotFolder(ID)), 'read-again.parquet');
    await writeFile(place, Buffer.from(await new Response(file.stream).arrayBuffer()));
    const ref = { dir: getSnapshotFolder(ID), manifest: await getSnapshot(LOCAL_ADMIN, ID) };
    const rows = await withSource(ref, ({ query }) => query(`SELECT * FROM read_parquet('${place}')`, []));
    if (wanted.length > 0) expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(wanted[0]));
    const plain = (row: Record<string, unknown>) =>
      Object.values(row).map((value) => (value === null ? null : Number.isNaN(Number(value)) ? value : Number(value)));
    expect(rows.map(plain)).toEqual(wanted.map(plain));
  }
});

it.each(REPORTS)('has the columns of each table of %s also where a filter finds no key', async (name) => {
  const nothing = { prefix: 'there is no such key' };
  for (const table of REPORT_ROWS[name].tableNames) {
    const { text } = await findFile(name, nothing, { table, format: 'csv' });
    expect(text.slice(1).trim(), table).not.toBe('');
    const file = await exportReport(LOCAL_ADMIN, ID, name, nothing, { format: 'parquet', table });
    expect(
      Buffer.from(await new Response(file.stream).arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('PAR1');
  }
});

it('holds every prefix without expiry or with idle keys, not only those that a page lists', async () => {
  const sum = (rows: Record<string, number>[], head: string) => rows.reduce((n, row) => n + (row[head] ?? 0), 0);
  const { none } = (await getReport(LOCAL_ADMIN, ID, 'ttl', {})).report;
  const noExpiry = readRows((await findFile('ttl', {}, { table: 'noExpiry' })).text);
  expect(noExpiry.length).toBeGreaterThan(50);
  expect(sum(noExpiry, 'keys')).toBe(none.keys);
  const idleMin = 30 * 86_400;
  const { total } = (await getReport(LOCAL_ADMIN, ID, 'keys', { idleMin })).report;
  const idle = readRows((await findFile('idle', {}, { table: 'idlePrefixes' })).text);
  expect(idle.length).toBeGreaterThan(50);
  expect(sum(idle, 'idle keys')).toBe(total);
});

it('has the columns of the pages', async () => {
  const { types } = (await getReport(LOCAL_ADMIN, ID, 'types', {})).report;
  expect(readRows((await findFile('types', {}, { table: 'types' })).text)).toEqual(
    types.map((row) => ({
      type: row.type ?? 'unknown',
      keys: row.keys,
      'memory (bytes)': row.keys > 0 && row.bytes === 0 ? null : row.bytes,
      'average (bytes)': row.avgBytes,
      'median (bytes)': row.p50Bytes,
      'p99 (bytes)': row.p99Bytes,
      'largest (bytes)': row.maxBytes,
      'with expiry (0–1)': row.type === null ? null : row.withExpiry / row.keys,
    })),
  );
  const { patterns } = (await getReport(LOCAL_ADMIN, ID, 'patterns', { limit: 1000 })).report;
  const ofPatterns = readRows((await findFile('patterns', {})).text).slice(0, 1000);
  expect(
    ofPatterns.map((row) => [row['average (bytes)'], row['median ttl (s)'], row['ttl: from (s)'], row['ttl: to (s)']]),
  ).toEqual(patterns.map((row) => [row.avgBytes, row.p50TtlSeconds, row.minTtlSeconds, row.maxTtlSeconds]));
  expect(patterns.some((row) => row.minTtlSeconds !== null)).toBe(true);
  const { rows } = (await getReport(LOCAL_ADMIN, ID, 'bigkeys', { limit: 1000 })).report;
  expect(rows.some((row) => row.hazards.length > 0)).toBe(true);
  expect(
    readRows((await findFile('bigkeys', {})).text).map((row) => [
      row.key,
      row.encoding,
      row['idle (s)'],
      row.LFU,
      row.hazards,
    ]),
  ).toEqual(rows.map((row) => [row.name, row.encoding, row.idleSeconds, row.freq, row.hazards.join(',')]));
  const { storms } = (await getReport(LOCAL_ADMIN, ID, 'ttl', {})).report;
  const ofStorms = readRows((await findFile('ttl', {}, { table: 'storms' })).text);
  expect(ofStorms.map((row) => [row.prefix, row['memory (bytes)'], row['of keys']])).toEqual(
    storms.map((row) => [row.prefix, row.bytes, row.ofKeys]),
  );
});

it('leaves no file of a Parquet export behind', async () => {
  const { text } = await findFile('tree', {}, { format: 'parquet' });
  expect(text.startsWith('PAR1')).toBe(true);
  await expect
    .poll(async () =>
      (await readdir(await makeExportFolder(getSnapshotFolder(ID)))).filter((one) => one.startsWith('export-')),
    )
    .toEqual([]);
});

it('refuses a table of another report and names those there are', async () => {
  await expect(findFile('ttl', {}, { table: 'tags' })).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('expiry, storms, noExpiry'),
  });
});

it('may not be had any more once its instance leaves what the reader is granted', async () => {
  const settings = (tags: string[]) =>
    InstanceSettings.parse({ name: 'i', topology: 'standalone', endpoints: [{ host: '127.0.0.1', port: 6379 }], tags });
  const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
  const row = { id: 'i', sealed, createdAt: 1, updatedAt: 1 };
  await insertInstanceRow({ ...row, settings: settings(['shop']) });
  const grants = [{ kind: 'tag', value: 'shop', role: 'viewer' }] as const;
  const reader: Actor = { ...LOCAL_ADMIN, role: 'none', grants: [...grants] };
  const { stream, stillAllowed } = await exportReport(reader, ID, 'tree', {}, { format: 'csv' });
  expect(await stillAllowed()).toBe(true);
  await updateInstanceRow({ ...row, settings: settings([]) });
  expect(await stillAllowed()).toBe(false);
  await stream.cancel();
});
