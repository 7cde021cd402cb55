import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { ComparedGroupsQuery, ComparedKeysQuery, ComparisonQuery } from '@/lib/model/comparison/comparison';
import { encodeKey } from '@/lib/model/keys/key-id';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { isLimitedScan } from '@/lib/model/snapshots/is-limited-scan';
import type { ScanOptions } from '@/lib/model/snapshots/scan';
import { findExpiredSnapshots } from '@/lib/scans/apply-retention';
import { exportComparedGroups, exportComparedKeys } from '@/lib/scans/export/export-comparison';
import { getFindings } from '@/lib/scans/get-findings';
import { removeSnapshot } from '@/lib/scans/remove-snapshot';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { insertInstanceRow } from '@/lib/store/instances';
import { insertSnapshot, listSnapshotRows } from '@/lib/store/snapshots';
import { AS_OF, type MadeRow } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { setBaseline } from './baseline';
import { compareSnapshots, listComparedGroups, listComparedKeys } from './compare-snapshots';
import { getKeyHistory } from './get-key-history';

let data: ReturnType<typeof temporaryData>;
const GONE_BYTES = 5_000_000;

const row = (name: string | Buffer, bytes = 100): MadeRow => ({
  bytesOfName: Buffer.from(name),
  node: 0,
  db: 0,
  type: 'hash',
  encoding: 'hashtable',
  expireAt: AS_OF + 86_400_000,
  bytes,
  length: 50,
  idle: 1,
  freq: -1,
});

async function seal(id: string, instanceId: string, age: number, rows: MadeRow[], options: Partial<ScanOptions> = {}) {
  const { dir, manifest } = await makeSealed(path.dirname(getSnapshotFolder(id)), id, rows);
  const startedAt = AS_OF - age;
  const all = { ...manifest.options, ...options };
  await writeManifest(dir, {
    ...manifest,
    instanceId,
    instanceName: instanceId,
    startedAt,
    endedAt: startedAt + 10,
    options: all,
  });
  const unknown = { jobId: null, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const known = { id, instanceId, startedAt, endedAt: startedAt + 10, keys: rows.length, partial: false };
  await insertSnapshot({ ...unknown, ...known, state: 'sealed', isPart: isLimitedScan(all) });
}

const BINARY = Buffer.from([0x62, 0x00, 0xff]);

beforeAll(async () => {
  data = temporaryData();
  for (const name of ['shop', 'other']) {
    const settings = InstanceSettings.parse({
      name,
      topology: 'standalone',
      endpoints: [{ host: '127.0.0.1', port: 6379 }],
      tags: [name],
    });
    const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
    await insertInstanceRow({ id: name, settings, sealed, createdAt: 1, updatedAt: 1 });
  }
  await seal('oldest00', 'shop', 3000, [row('cart:a_b:1'), row('cart:a_b:2', GONE_BYTES), row(BINARY)]);
  await seal('middle00', 'shop', 2000, [row('cart:a_b:1', 300), row('cart:a_b:3'), row(BINARY, 700)]);
  await seal('newest00', 'shop', 1000, [row('cart:a_b:1', 200), row('cart:a_b:3'), row('cart:a_b:4'), row(BINARY, 50)]);
  await seal('foreign0', 'other', 500, [row('cart:a_b:1', 200), row('job:1')]);
  await seal('onlyjobs', 'shop', 400, [row('job:2')], { match: 'job:' });
});
afterAll(() => data.remove());

const compare = (actor: Actor, id: string, query: object) => compareSnapshots(actor, id, ComparisonQuery.parse(query));
/** The comparison once keys and findings are compared. */
async function compareWhole(id: string, query: object) {
  const wait = { timeout: 60_000, interval: 50 };
  return vi.waitFor(async () => {
    const found = await compare(LOCAL_ADMIN, id, query);
    expect([found.keys, found.rules]).not.toContain(null);
    return { ...found, keys: found.keys!, rules: found.rules! };
  }, wait);
}
const readText = async ({ stream }: { stream: ReadableStream<Uint8Array> }) => new Response(stream).text();

it('compares with the snapshot before, the baseline and a named one in the same way', async () => {
  const sincePrevious = await compareWhole('newest00', {});
  expect(sincePrevious.before.snapshotId).toBe('middle00');
  expect(sincePrevious.notes).toEqual([]);
  const { new: fresh, gone, grown, shrunk } = sincePrevious.keys.keys;
  expect([fresh.keys, gone.keys, grown.keys, shrunk.keys, sincePrevious.keys.same]).toEqual([1, 0, 0, 2, 1]);
  expect(sincePrevious.rules.find(({ rule }) => rule === 'N10')).toMatchObject({
    newKeys: 1,
    examples: ['cart:a_b:4'],
  });

  await expect(compare(LOCAL_ADMIN, 'newest00', { with: 'baseline' })).rejects.toMatchObject({
    details: { reason: 'noBaseline' },
  });
  await setBaseline(LOCAL_ADMIN, 'shop', 'oldest00');
  const sinceBaseline = await compareWhole('newest00', { with: 'baseline' });
  expect(sinceBaseline).toEqual(await compareWhole('newest00', { with: 'oldest00' }));
  expect(sinceBaseline.keys.keys.gone).toEqual({ keys: 1, bytes: GONE_BYTES });
  expect(sinceBaseline.rules.find(({ rule }) => rule === 'N10')).toMatchObject({ newKeys: 2, goneKeys: 1 });

  const change = async (since?: 'baseline') => {
    const { report } = await getFindings(LOCAL_ADMIN, 'newest00', since ? { since } : {});
    return [report.previous?.snapshotId, report.rules.find(({ rule }) => rule === 'N10')?.change?.newKeys];
  };
  await vi.waitFor(async () => expect(await change()).toEqual(['middle00', 1]), { timeout: 30_000 });
  await vi.waitFor(async () => expect(await change('baseline')).toEqual(['oldest00', 2]), { timeout: 30_000 });
});

it('lists and exports groups and keys, in pages', async () => {
  const groups = await listComparedGroups(
    LOCAL_ADMIN,
    'newest00',
    ComparedGroupsQuery.parse({ with: 'oldest00', by: 'template', limit: 1 }),
  );
  expect(groups).toMatchObject({ total: 2, rows: [{ name: 'cart:a_b:{int}', change: 'shrunk' }] });
  const keys = ComparedKeysQuery.parse({ with: 'oldest00', change: 'new', limit: 1 });
  const first = await vi.waitFor(async () => {
    const page = await listComparedKeys(LOCAL_ADMIN, 'newest00', keys);
    expect(page.waiting).toBe(false);
    return page;
  });
  expect(first.rows.map(({ name }) => name)).toEqual(['cart:a_b:3']);
  const next = await listComparedKeys(LOCAL_ADMIN, 'newest00', { ...keys, cursor: first.nextCursor! });
  expect([next.rows.map(({ name }) => name), next.nextCursor]).toEqual([['cart:a_b:4'], null]);
  const lines = (await readText(await exportComparedKeys(LOCAL_ADMIN, 'newest00', keys, { format: 'jsonl' }))).trim();
  expect(lines.split('\n').map((line) => JSON.parse(line).key)).toEqual(['cart:a_b:3', 'cart:a_b:4']);
  const csv = await readText(
    await exportComparedGroups(LOCAL_ADMIN, 'newest00', ComparedGroupsQuery.parse({}), { format: 'csv' }),
  );
  expect(csv).toContain('cart:a_b:');
});

it('compares two instances, and says so', async () => {
  const found = await compareWhole('foreign0', { with: 'newest00' });
  expect(found.notes.map(({ code }) => code)).toEqual(['otherInstance']);
  expect([found.keys.keys.new.keys, found.keys.keys.gone.keys, found.keys.same]).toEqual([1, 3, 1]);
});

it('compares a part only with what both scans read', async () => {
  const found = await compareWhole('onlyjobs', { with: 'foreign0' });
  expect(found.notes.map(({ code, params }) => [code, params])).toContainEqual(['prefix', { prefix: 'job:' }]);
  expect([found.now.totals.keys, found.before.totals.keys]).toEqual([1, 1]);
  expect([found.keys.keys.new.keys, found.keys.keys.gone.keys]).toEqual([1, 1]);
  await expect(compare(LOCAL_ADMIN, 'onlyjobs', {})).rejects.toMatchObject({ details: { reason: 'noPrevious' } });
});

it('tells a reader nothing of an instance that they may not see', async () => {
  const reader: Actor = {
    ...LOCAL_ADMIN,
    role: 'none',
    grants: [{ kind: 'tag', value: 'shop', role: 'viewer' }],
  };
  for (const query of [{ with: 'foreign0' }, { with: 'nothere0' }])
    await expect(compare(reader, 'newest00', query)).rejects.toMatchObject({ code: 'not_found' });
  await expect(getFindings(reader, 'newest00', { since: 'foreign0' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(compare(reader, 'foreign0', { with: 'newest00' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(setBaseline(reader, 'shop', 'newest00')).rejects.toMatchObject({ code: 'forbidden' });
});

it('refuses the same snapshot twice', async () => {
  await expect(compare(LOCAL_ADMIN, 'newest00', { with: 'newest00' })).rejects.toMatchObject({
    code: 'bad_request',
    details: { reason: 'sameSnapshot' },
  });
});

it('keeps a baseline from retention and removal until another one is chosen', async () => {
  await setBaseline(LOCAL_ADMIN, 'shop', 'oldest00');
  const expire = async () =>
    findExpiredSnapshots(await listSnapshotRows('shop'), { count: 1, days: 0, bytes: 0 }, AS_OF).map(({ id }) => id);
  expect(await expire()).toEqual(['middle00']);
  await expect(removeSnapshot(LOCAL_ADMIN, 'oldest00')).rejects.toMatchObject({ code: 'conflict' });
  await expect(setBaseline(LOCAL_ADMIN, 'shop', 'onlyjobs')).rejects.toMatchObject({ code: 'bad_request' });
  await expect(setBaseline(LOCAL_ADMIN, 'shop', 'foreign0')).rejects.toMatchObject({ code: 'not_found' });
  await setBaseline(LOCAL_ADMIN, 'shop', 'middle00');
  expect((await listSnapshotRows('shop')).filter(({ baseline }) => baseline).map(({ id }) => id)).toEqual(['middle00']);
  await setBaseline(LOCAL_ADMIN, 'shop', null);
  expect(await expire()).toEqual(['middle00', 'oldest00']);
});

it('finds one key in each snapshot, by its bytes', async () => {
  const readBytes = async (name: string | Buffer, db = 0) => {
    const { rows } = await getKeyHistory(LOCAL_ADMIN, 'shop', encodeKey(Buffer.from(name)), db);
    return rows.map(({ snapshotId, isPart, row }) => [snapshotId, isPart, row?.bytes ?? null]);
  };
  expect(await readBytes(BINARY)).toEqual([
    ['onlyjobs', true, null],
    ['newest00', false, 50],
    ['middle00', false, 700],
    ['oldest00', false, 100],
  ]);
  expect((await readBytes('cart:a_b:4')).map(([, , bytes]) => bytes)).toEqual([null, 100, null, null]);
  expect((await readBytes('b\\x00\\xff')).every(([, , bytes]) => bytes === null)).toBe(true);
  expect((await readBytes(BINARY, 1)).every(([, , bytes]) => bytes === null)).toBe(true);
});

it('says that a snapshot is gone when it is removed while it is compared', async () => {
  await seal('leaving0', 'shop', 1500, [row('cart:a_b:9')]);
  const comparing = compare(LOCAL_ADMIN, 'newest00', { with: 'leaving0' }).then(
    () => 'compared',
    (error) => error.code,
  );
  await removeSnapshot(LOCAL_ADMIN, 'leaving0');
  expect(['compared', 'not_found']).toContain(await comparing);
  await expect(compare(LOCAL_ADMIN, 'newest00', { with: 'leaving0' })).rejects.toMatchObject({ code: 'not_found' });
});
