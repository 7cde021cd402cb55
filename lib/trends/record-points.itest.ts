import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { encodeKey } from '@/lib/model/keys/key-id';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { NO_EXPIRY } from '@/lib/model/snapshots/facts-page';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { keepScore } from '@/lib/rules/findings/keep-score';
import { startRollingUp } from '@/lib/rules/findings/roll-up-soon';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { getReport } from '@/lib/scans/get-report';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { writeServerFile } from '@/lib/snapshots/folder/server-file';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { deleteEvent, readNextEvent } from '@/lib/store/events';
import { generateId } from '@/lib/store/generate-id';
import { insertInstanceRow } from '@/lib/store/instances';
import { runTransaction } from '@/lib/store/open-store';
import { putOwnerRow } from '@/lib/store/policies/owners';
import { insertSnapshot } from '@/lib/store/snapshots';
import { writeScanPoints } from '@/lib/store/trends/trends';
import { makeAudit, makeNodeAudit } from '@/test/snapshots/made-audit';
import { AS_OF, type MadeRow } from '@/test/snapshots/made-rows';
import { makeSealed } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { listGrowing } from './list-growing';
import { pinTrend, unpinTrend } from './pins';
import { getDeltas, getFleetDeltas, getTrendSeries, getTrends } from './read-trends';
import { recordPoints } from './record-points';

const DAY = 86_400_000;
const NOBODY: Actor = { id: 'n', name: 'nora', role: 'none', via: 'page' };
const VERA: Actor = { id: 'v', name: 'vera', role: 'viewer', via: 'page' };
let data: ReturnType<typeof temporaryData>;

beforeAll(async () => {
  data = temporaryData();
  startRollingUp();
  const settings = InstanceSettings.parse({
    name: 'shop',
    topology: 'standalone',
    endpoints: [{ host: 'h', port: 1 }],
  });
  const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
  await insertInstanceRow({ id: 'i', settings, sealed, createdAt: 1, updatedAt: 1 });
  await putOwnerRow({ id: 'o', instanceId: 'i', prefix: 'shop:', team: 'carts' });
});
afterAll(() => data.remove());

const row = (name: string, over: Partial<MadeRow> = {}): MadeRow => ({
  bytesOfName: Buffer.from(name, 'latin1'),
  node: 0,
  db: 0,
  type: 'string',
  encoding: 'raw',
  expireAt: AS_OF + DAY,
  bytes: 100,
  length: 50,
  idle: 1,
  freq: -1,
  ...over,
});
const rows = (count: number, name: (i: number) => string, over?: Partial<MadeRow>) =>
  Array.from({ length: count }, (_, i) => row(name(i), over));

interface Scan {
  day: number;
  rows: MadeRow[];
  manifest?: Partial<SnapshotManifest>;
  partial?: boolean;
  isPart?: boolean;
  usedBytes?: number;
}
/** Seals a snapshot, evaluates it and lets its event be handled. Returns its id. */
async function scan({ day, rows, manifest: over, partial = false, isPart = false, usedBytes }: Scan): Promise<string> {
  const id = generateId();
  const { dir, manifest } = await makeSealed(path.dirname(getSnapshotFolder(id)), id, rows);
  const startedAt = AS_OF + day * DAY;
  const times = { instanceId: 'i', startedAt, endedAt: startedAt + 10 };
  await writeManifest(dir, { ...manifest, ...times, ...over });
  if (usedBytes !== undefined) {
    const memory = { ...makeNodeAudit().memory, usedBytes, maxBytes: 1000 };
    await writeServerFile(dir, makeAudit({ memory }, { address: 'replica:1', role: 'replica', memory }));
  }
  const counts = { keys: rows.length, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  await insertSnapshot({ id, jobId: null, state: 'sealed', partial, isPart, ...counts, ...times });
  await keepScore({ dir, manifest: { ...manifest, ...times, ...over } }, await getEffectivePolicy('i'));
  await handleEvents();
  return id;
}
async function handleEvents() {
  for (let event = await readNextEvent(); event !== null; event = await readNextEvent()) {
    await recordPoints(event, new AbortController().signal);
    // A process that died before it deleted the event handles it again.
    await recordPoints(event, new AbortController().signal);
    await deleteEvent(event.id);
  }
}
const readLine = async (dim: 'prefix' | 'template' | 'rule' | 'team' | 'key' | 'node', key: string) =>
  (await getTrendSeries(LOCAL_ADMIN, 'i', { dim, key })).series.points;

const first = () => [
  ...rows(30, (i) => `shop:cart:${i}`, { expireAt: NO_EXPIRY }),
  ...rows(25, (i) => `user_${i}:p`),
  row('\xff\x00:x'),
  row('shop:list', { type: 'list', encoding: 'quicklist', length: 4000, bytes: 90_000 }),
];
const second = () => [
  ...rows(40, (i) => `shop:cart:${i}`, { expireAt: NO_EXPIRY }),
  ...rows(25, (i) => `user_${i}:p`),
  row('\xff\x00:x', { bytes: 300 }),
  row('shop:list', { type: 'list', encoding: 'quicklist', length: 4500, bytes: 95_000 }),
];

it('adds points of totals, nodes, rules, teams, prefixes, templates and keys; deltas are between two scans', async () => {
  const one = await scan({ day: 0, rows: first(), usedBytes: 500 });
  const two = await scan({ day: 1, rows: second(), usedBytes: 600 });
  const { scans, total, memory, pinned } = await getTrends(LOCAL_ADMIN, 'i');
  expect(scans.map(({ snapshotId }) => snapshotId)).toEqual([one, two]);
  expect(total.map(({ keys, bytes, noExpiry, maxBytes }) => [keys, bytes, noExpiry, maxBytes])).toEqual([
    [57, 95_600, 30, 1000],
    [67, 101_800, 40, 1000],
  ]);
  expect([memory, pinned]).toEqual([null, []]);
  expect(await getDeltas(LOCAL_ADMIN, one)).toEqual({ since: null, total: {}, rules: {}, teams: {} });
  const deltas = await getDeltas(LOCAL_ADMIN, two);
  expect(deltas).toMatchObject({
    since: AS_OF,
    total: { keys: 10, bytes: 6200, noExpiry: 10, bigkeys: 0 },
    rules: { T1: 10 },
    teams: { carts: { keys: 10, bytes: 6000 }, '': { keys: 0, bytes: 200 } },
  });
  // The used memory of a snapshot that does not know it is unknown, so there is no change of it.
  expect(deltas.total.usedBytes).toBeUndefined();
  expect(await getFleetDeltas(LOCAL_ADMIN)).toMatchObject({ i: { since: AS_OF, total: { keys: 10 } } });
  expect(await getFleetDeltas(NOBODY)).toEqual({});
  await expect(getTrends(NOBODY, 'i')).rejects.toMatchObject({ code: 'not_found' });

  const values = ({ keys, bytes }: { keys: number | null; bytes: number | null }) => [keys, bytes];
  expect((await readLine('node', '10.0.0.0:6379')).map(({ usedBytes }) => usedBytes)).toEqual([500, 600]);
  expect(await readLine('node', 'replica:1')).toEqual([]);
  expect((await readLine('rule', 'T1')).map(({ found }) => found)).toEqual([30, 40]);
  expect((await readLine('team', 'carts')).map(({ keys }) => keys)).toEqual([31, 41]);
  // Series have the names and numbers of the tree and of the report on templates.
  for (const template of ['', 'shop:']) {
    const { report } = await getReport(LOCAL_ADMIN, two, 'tree', { template });
    for (const node of report.children.filter(({ branchKeys, leafKeys }) => branchKeys > 0 && leafKeys === 0))
      expect([node.path, (await readLine('prefix', node.path)).map(values)[1]]).toEqual([node.path, values(node)]);
  }
  const { report } = await getReport(LOCAL_ADMIN, two, 'patterns', {});
  expect(report.patterns.length).toBe(4);
  for (const { template, ...sum } of report.patterns)
    expect([template, (await readLine('template', template)).map(values)[1]]).toEqual([template, values(sum)]);
  const list = await readLine('key', `0:${encodeKey(Buffer.from('shop:list'))}`);
  expect(list.map(({ elements }) => elements)).toEqual([4000, 4500]);
});

it('lists what grew, largest first; a string has no elements', async () => {
  const { between, rows } = await listGrowing(LOCAL_ADMIN, 'i', { by: 'bytes' });
  expect(between).toEqual({ from: AS_OF, to: AS_OF + DAY });
  expect(rows.map(({ dim, key, change }) => [dim, key.split(':')[0], change])).toEqual([
    ['prefix', 'shop', 6000],
    ['key', '0', 5000],
    ['prefix', 'shop', 1000],
    ['key', '0', 200],
    ['prefix', '\\xff\\x00', 200],
  ]);
  const byElements = await listGrowing(LOCAL_ADMIN, 'i', { by: 'elements' });
  expect(byElements.rows).toMatchObject([{ before: 4000, after: 4500, change: 500, perDay: null, reaches: null }]);
});

it('adds no point of a partial scan or of a part of the keyspace', async () => {
  await scan({ day: 2, rows: first(), partial: true });
  await scan({ day: 2, rows: first(), isPart: true });
  expect((await getTrends(LOCAL_ADMIN, 'i')).scans).toHaveLength(2);
});

it('gives a pinned prefix its points, known zeros too, and stops when it is unpinned', async () => {
  const pins = ['shop:cart:', 'gone:deeper:than:the:rest:'].map((key) => ({ dim: 'prefix' as const, key }));
  await expect(pinTrend(VERA, 'i', pins[0]!)).rejects.toMatchObject({ code: 'forbidden' });
  for (const pin of pins) await pinTrend(LOCAL_ADMIN, 'i', pin);
  const id = await scan({ day: 3, rows: second() });
  const { pinned } = await getTrends(LOCAL_ADMIN, 'i');
  expect(pinned.map(({ key, points }) => [key, points.map(({ keys }) => keys)])).toEqual([
    ['shop:cart:', [30, 40, 40]],
    ['gone:deeper:than:the:rest:', [0]],
  ]);
  for (const pin of pins) await unpinTrend(LOCAL_ADMIN, 'i', pin);
  await expect(unpinTrend(LOCAL_ADMIN, 'i', pins[0]!)).rejects.toMatchObject({ code: 'not_found' });
  expect((await getTrends(LOCAL_ADMIN, 'i')).pinned).toEqual([]);
  expect((await getDeltas(LOCAL_ADMIN, id)).total).toMatchObject({ keys: 0 });
});

it('does not compare findings of two policies, or bigkeys of scans that read other facts', async () => {
  await putOwnerRow({ id: 'o2', instanceId: 'i', prefix: 'user', team: 'people' });
  const options = { facts: 'basic' as const };
  const { manifest } = await makeSealed(path.join(data.dir, 'other'), 'other', []);
  const id = await scan({ day: 4, rows: second(), manifest: { options: { ...manifest.options, ...options } } });
  const { total, rules } = await getDeltas(LOCAL_ADMIN, id);
  expect([total.keys, total.bytes, total.score, total.bigkeys, rules]).toEqual([0, 0, undefined, undefined, {}]);
});

it('reads a year of points, and says when the fullest node and a collection reach their limits', async () => {
  const policyHash = (await getEffectivePolicy('i')).hash;
  const conditions = { policyHash, databases: null, coverage: 'full/large', maxmemoryPolicy: 'allkeys-lru' };
  const key = `0:${encodeKey(Buffer.from('shop:list'))}`;
  for (let day = 10; day < 40; day++)
    await runTransaction((tx) =>
      writeScanPoints(
        'i',
        { at: AS_OF + day * DAY, snapshotId: `s${day}`, ...conditions },
        [
          { dim: 'total', key: '', values: { keys: day }, top: true },
          { dim: 'node', key: 'full:1', values: { usedBytes: 500 + day * 10, maxBytes: 1000 }, top: true },
          { dim: 'node', key: 'free:1', values: { usedBytes: 100 + day, maxBytes: 1000 }, top: true },
          { dim: 'node', key: 'unlimited:1', values: { usedBytes: 100 * day, maxBytes: 0 }, top: true },
          { dim: 'key', key, values: { elements: 3000 + day * 40 }, top: true },
        ],
        tx,
      ),
    );
  const { memory } = await getTrends(LOCAL_ADMIN, 'i');
  expect(memory).toEqual({ address: 'full:1', limitBytes: 1000, from: 12, to: 12, perDay: 10, outcome: 'evictions' });
  const { rows } = await listGrowing(LOCAL_ADMIN, 'i', { by: 'elements' });
  expect(rows).toMatchObject([
    { key, change: 40, perDay: { low: 40, high: 40 }, reaches: { from: 12, to: 12, limit: 5000 } },
  ]);
});
