import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { readSelectedKeys } from '@/lib/deletions/plan/read-selected-keys';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import type { Selection } from '@/lib/model/deletions/plan-request';
import { NO_EXPIRY } from '@/lib/model/snapshots/facts-page';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { exportSnapshotKeys } from '@/lib/scans/export/export-snapshot-keys';
import { getReport } from '@/lib/scans/get-report';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { listFilesBelow } from '@/lib/snapshots/query/list-files-below';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { insertSnapshot } from '@/lib/store/snapshots';
import { LONG } from '@/test/long-form.mjs';
import { bundledProgram } from '@/test/servers/bundled-program';
import { type ObjectStoreServer, startObjectStore } from '@/test/servers/object-store';
import { until } from '@/test/servers/process';
import { startTcpProxy, type TcpProxy } from '@/test/servers/tcp-proxy';
import type { MadeRow } from '@/test/snapshots/made-rows';
import { dataFolder, makeSealed } from '@/test/snapshots/make-snapshot';
import { onceItHasCome } from '@/test/snapshots/once-it-has-come';
import { temporaryData } from '@/test/temporary-data';
import { bringKeys, bringSnapshot } from './bring-snapshot';
import { claimPlace } from './claim-place';
import { isRows, readContents, toFileObjectName } from './contents';
import { evictLocal } from './evict-local';
import { getObjectStore, type ObjectStore } from './objects/object-store';
import { readStoredMark } from './stored-mark';
import { uploadSnapshot } from './upload-snapshot';
import { startUploads, stopUploads } from './upload-soon';

/**
 * A snapshot of which a disk has only some files of keys. Queries below a prefix need no more; all other queries must
 * never take these files for the whole snapshot. Two machines with a disk each are simulated by one process that is
 * given the other folder.
 */
const ID = 'ranged01';
const PREFIXES = 20;
const EACH = 800;
const KEYS = PREFIXES * EACH;
/** Long names that differ from each other, so that compression does not make the files small. */
const makeName = (i: number) =>
  `${makePrefix(i % PREFIXES)}key:${i}:${createHash('sha512').update(`${i}`).digest('hex')}`;
const makePrefix = (n: number) => `p${String(n).padStart(2, '0')}:`;
/** This setting gives about twenty files of 50 KB. */
const SEALED = { instanceId: 'i', fileRows: 800 };

let server: ObjectStoreServer;
let proxy: TcpProxy;
let data: ReturnType<typeof temporaryData>;
let manifest: SnapshotManifest;
let n = 0;
/** The sealed snapshot. It is made once, and each test begins with a copy of it. */
let original: SnapshotRef;
let clean: () => Promise<void>;
beforeAll(async () => {
  server = await startObjectStore();
  proxy = await startTcpProxy(server.port);
  const folder = await dataFolder();
  clean = folder.clean;
  original = await makeSealed(folder.root, ID, rows(), SEALED);
  expect(original.manifest.files.length).toBeGreaterThan(8);
  await makeRollup(original);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
  await clean();
});
beforeEach(async () => {
  data = temporaryData();
  Object.assign(process.env, server.env(proxy.port), {
    COLONNADE_SNAPSHOT_STORE: `s3://${server.bucket}/ranged-${++n}`,
  });
  proxy.spoil({ kind: 'none' });
  at('scans');
  cpSync(original.dir, getSnapshotFolder(ID), { recursive: true });
  manifest = original.manifest;
  const counts = { keys: KEYS, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null, partial: false };
  await insertSnapshot({ id: ID, instanceId: 'i', jobId: null, state: 'sealed', startedAt: 1, endedAt: 2, ...counts });
  await claimPlace(store());
  await uploadSnapshot(store(), ID, { prepared: true, signal: new AbortController().signal });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await stopUploads();
  startUploads();
  for (const name of Object.keys(process.env)) if (/^COLONNADE_(S3_|SNAPSHOT)/.test(name)) delete process.env[name];
  await data.remove();
});

/** Every tenth key is a bigkey. */
const row = (name: string, i: number): MadeRow => ({
  ...{ bytesOfName: Buffer.from(name), node: 0, db: 0, type: 'string', encoding: 'raw', expireAt: NO_EXPIRY },
  ...{ bytes: i % 10 === 0 ? 20_000_000 + i : 50 + (i % 97), length: i % 10 === 0 ? 19_000_000 : 10 },
  ...{ idle: 1, freq: -1 },
});

const rows = () => Array.from({ length: KEYS }, (_, i) => row(makeName(i), i));

function at(machine: 'scans' | 'shows' | 'other'): void {
  const dir = path.join(data.dir, machine);
  mkdirSync(dir, { recursive: true });
  process.env.COLONNADE_SNAPSHOTS = dir;
}
const store = () => getObjectStore() as ObjectStore;
const here = () =>
  existsSync(getSnapshotFolder(ID))
    ? readdirSync(getSnapshotFolder(ID))
        .filter((file) => isRows({ path: file, bytes: 0, sha256: '' }))
        .toSorted()
    : [];
const listFiles = (prefix: string) => [...listFilesBelow(manifest, prefix)];
const findFile = (name: string) => path.join(getSnapshotFolder(ID), name);

/** Each query gets another limit, because answers are cached. */
let limit = 1000;
beforeEach(() => {
  limit = 1000;
});
const listAtOnce = async (query: Parameters<typeof getReport>[3]) =>
  (await getReport(LOCAL_ADMIN, ID, 'keys', query)).report;
const list = (query: Parameters<typeof getReport>[3]) => {
  const asked = { limit: limit--, ...query };
  return onceItHasCome(() => listAtOnce(asked));
};
/** Neither the order of the files nor a sum of the roll-up answers this query, so it reads every key. */
const whole = () => list({ search: 'key', sort: '-bytes' });
const expectWhole = async () => {
  const { rows, total } = await whole();
  expect([rows.length, total, rows[0]?.bytes]).toEqual([limit + 1, KEYS, 20_000_000 + KEYS - 10]);
  expect(here()).toEqual(manifest.files);
};
async function expectBelow(prefix: string): Promise<void> {
  const { rows, total } = await list({ prefix });
  expect(rows.map(({ name }) => name.slice(0, prefix.length))).toEqual(Array(EACH).fill(prefix));
  expect(total).toBe(EACH);
}

it('lists, bigkeys, one key, exports and plans below a prefix bring the files that can hold it', async () => {
  const prefix = makePrefix(10);
  const key = makeName(PREFIXES + 10);
  const asked = {
    list: () => list({ prefix, limit: 1000 }),
    bigkeys: async () => (await getReport(LOCAL_ADMIN, ID, 'bigkeys', { prefix })).report,
    search: () => list({ prefix, search: 'key:1', sort: '-bytes', limit: 1000 }),
    one: () => list({ prefix: key, exact: true, limit: 1000 }),
    file: async () => new Response((await exportSnapshotKeys(LOCAL_ADMIN, ID, { prefix }, 'jsonl')).stream).text(),
    plan: () => planned({ filter: { prefix } }),
    nodes: () => planned({ filter: {}, nodes: [{ path: `${prefix}key:{int}:`, end: false }] }),
  };
  for (const [name, ask] of Object.entries(asked)) {
    at('scans');
    const expected = await ask();
    expect(JSON.stringify(expected).length, name).toBeGreaterThan(100);
    at('shows');
    rmSync(getSnapshotFolder(ID), { recursive: true, force: true });
    expect(await onceItHasCome<unknown>(ask), name).toEqual(expected);
    expect(here(), name).toEqual(listFiles(name === 'one' ? key : prefix));
    expect(here().length, name).toBeLessThan(4);
  }
  await expectWhole();
});

async function planned(of: Omit<Extract<Selection, { by: 'filter' }>, 'by' | 'snapshotId'>): Promise<string[]> {
  const names: string[] = [];
  for await (const page of readSelectedKeys('i', { by: 'filter', snapshotId: ID, ...of }))
    for (const one of page) if ('name' in one) names.push(one.name);
  return names;
}

it.runIf(LONG)('other prefixes add their files, and then all come', async () => {
  at('shows');
  await expectBelow(makePrefix(3));
  await expectBelow(makePrefix(15));
  expect(here()).toEqual([...new Set([...listFiles(makePrefix(3)), ...listFiles(makePrefix(15))])].toSorted());
  expect(here().length).toBeLessThan(manifest.files.length);
  await expectWhole();
});

it('a part that is here is never taken for the whole while the store is away', async () => {
  at('shows');
  await expectBelow(makePrefix(3));
  const before = here();
  await server.stop();
  try {
    await expectBelow(makePrefix(3));
    const asked: (() => Promise<unknown>)[] = [
      whole,
      () => list({ search: 'key' }),
      () => list({ prefix: 'p' }),
      () => list({ sort: '-bytes' }),
      () => list({ bytesMin: 60 }),
      () => getReport(LOCAL_ADMIN, ID, 'slots', { search: '1b' }),
      () => getReport(LOCAL_ADMIN, ID, 'tree', { search: '1b' }),
      () => getReport(LOCAL_ADMIN, ID, 'sizes', { search: '1b' }),
      () => getReport(LOCAL_ADMIN, ID, 'overview', { search: '1b' }),
      () => getReport(LOCAL_ADMIN, ID, 'types', { prefix: makePrefix(4), search: '1b' }),
      () => exportSnapshotKeys(LOCAL_ADMIN, ID, {}, 'csv'),
      () => planned({ filter: {}, all: true }),
    ];
    for (const ask of asked) await expect(ask(), ask.toString()).rejects.toMatchObject({ code: 'snapshot_store_away' });
    // Words that occur in all names are counted in the roll-up.
    const { report } = await getReport(LOCAL_ADMIN, ID, 'tree', { search: 'key' });
    expect(report.keys).toBe(KEYS);
    const all = await withSource({ dir: getSnapshotFolder(ID), manifest }, ({ query, keys }) =>
      query(`SELECT count(*) FROM ${keys}`),
    ).catch((error: unknown) => error);
    expect(all).toMatchObject({
      code: 'snapshot_unreadable',
      details: { missing: manifest.files.filter((file) => !before.includes(file)) },
    });
    expect(here()).toEqual(before);
  } finally {
    await server.start();
  }
  await expectWhole();
});

it('goes as one when room is needed, comes again in parts, and stays while it is read', async () => {
  at('shows');
  process.env.COLONNADE_SNAPSHOT_CACHE_MB = '64';
  await expectBelow(makePrefix(3));
  const ref = { dir: getSnapshotFolder(ID), manifest };
  await withSource(ref, () => evictLocal(store(), 64 * 1024 * 1024), { below: makePrefix(3) });
  expect(here()).toEqual(listFiles(makePrefix(3)));
  await evictLocal(store(), 64 * 1024 * 1024);
  expect(existsSync(getSnapshotFolder(ID))).toBe(false);
  await expectBelow(makePrefix(12));
  expect(here()).toEqual(listFiles(makePrefix(12)));
  await expectWhole();
  // The files that a running query needs are downloaded again.
  const asking = expectBelow(makePrefix(4));
  await evictLocal(store(), 64 * 1024 * 1024);
  await asking;
  await expectWhole();
});

it('a process that is killed while files come leaves nothing that is taken for more than it is', async () => {
  at('shows');
  const program = await bundledProgram('test/snapshots/bring-worker.ts');
  await bringSnapshot(ID);
  for (const files of [listFiles(makePrefix(3)), []]) {
    const before = here().length;
    proxy.spoil({ kind: 'slow', bytesPerSecond: 60_000 });
    const child = spawn(process.execPath, [program, ID, ...files], {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const exit = once(child, 'exit');
    await until('a file to come', async () => here().length > before);
    child.kill('SIGKILL');
    await exit;
    proxy.spoil({ kind: 'none' });
    expect(here().length).toBeLessThan(manifest.files.length);
    await expectBelow(makePrefix(18));
  }
  await expectBelow(makePrefix(3));
  await expectWhole();
});

it.each([
  ['ends in the middle', { kind: 'reset', way: 'down', after: 20_000 }],
  ['is changed on its way', { kind: 'flip', way: 'down', every: 20_000 }],
] as const)('a file that %s never gets its name, and others are asked', async (_, fault) => {
  at('shows');
  await expectBelow(makePrefix(3));
  proxy.spoil(fault);
  await expect(list({ prefix: makePrefix(15) })).rejects.toMatchObject({ code: 'snapshot_store_away' });
  await expect(whole()).rejects.toMatchObject({ code: 'snapshot_store_away' });
  await expectBelow(makePrefix(3));
  expect(here()).toEqual(listFiles(makePrefix(3)));
  proxy.spoil({ kind: 'none' });
  await expectBelow(makePrefix(15));
  await expectWhole();
});

it('a file that is damaged on the disk is no answer, neither below its prefix nor in the whole', async () => {
  at('shows');
  const [damaged] = listFiles(makePrefix(3));
  await expectBelow(makePrefix(3));
  truncateSync(findFile(damaged as string), 700);
  const unreadable = { code: 'snapshot_unreadable' };
  await expect(list({ prefix: makePrefix(3) })).rejects.toMatchObject(unreadable);
  await expectBelow(makePrefix(15));
  await expect(whole()).rejects.toMatchObject(unreadable);
});

it.runIf(LONG)('two who ask at once for parts and for the whole get each file once', async () => {
  at('shows');
  await bringSnapshot(ID);
  const get = vi.spyOn(store(), 'get');
  await Promise.all([
    bringKeys(ID, { maxWaitMs: null }),
    ...[3, 4, 5, 15].map((p) => bringKeys(ID, { maxWaitMs: null, files: listFiles(makePrefix(p)) })),
    ...[3, 15, 16].map((p) => list({ prefix: makePrefix(p) })),
    whole(),
  ]);
  const objects = get.mock.calls.map(([name]) => name).filter((name) => /\/keys-/.test(name));
  expect(objects.toSorted()).toEqual([...new Set(objects)].toSorted());
  expect(objects).toHaveLength(manifest.files.length);
  await expectWhole();
});

it.runIf(LONG)('says how far the files are that somebody waits for', async () => {
  at('shows');
  await bringSnapshot(ID);
  proxy.spoil({ kind: 'slow', bytesPerSecond: 2_000 });
  await expect(listAtOnce({ prefix: makePrefix(3), limit })).rejects.toMatchObject({
    code: 'snapshot_fetching',
    details: { totalMb: 1, retryAfterSeconds: 2 },
  });
  proxy.spoil({ kind: 'none' });
  await until('them to come', async () => here().length === listFiles(makePrefix(3)).length);
  expect(here()).toEqual(listFiles(makePrefix(3)));
});

it('sends again what the store has lost and is here, and stays a copy', async () => {
  at('shows');
  await expectBelow(makePrefix(3));
  const contents = await readContents(store(), ID);
  const lost = contents!.files.find(({ path: file }) => file === listFiles(makePrefix(3))[0])!;
  await store().remove(toFileObjectName(ID, lost));
  process.env.COLONNADE_SNAPSHOT_CACHE_MB = '64';
  await evictLocal(store(), 64 * 1024 * 1024);
  expect(here()).toEqual(listFiles(makePrefix(3)));
  await expectBelow(makePrefix(15));
  await until('it to be sent again', async () => (await store().list(toFileObjectName(ID, lost))).length === 1);
  await until('the list', async () => {
    const sent = await readContents(store(), ID);
    return sent !== null && sent.uploadedAt > contents!.uploadedAt && sent.files.length === contents!.files.length;
  });
  expect((await readStoredMark(getSnapshotFolder(ID)))?.files).toHaveLength(contents!.files.length);
  await expectWhole();
});

it('files of one seal never go together with those of another', async () => {
  at('shows');
  await expectBelow(makePrefix(3));
  // Another machine has sealed the same scan with other cuts, and its row is the one that counts.
  at('other');
  const other = await makeSealed(path.dirname(getSnapshotFolder(ID)), ID, rows(), { ...SEALED, fileRows: 1100 });
  await makeRollup(other);
  await uploadSnapshot(store(), ID, { prepared: true, signal: new AbortController().signal });
  expect(other.manifest.files.length).toBeLessThan(manifest.files.length);
  at('shows');
  for (const p of [4, 15, 3]) await expectBelow(makePrefix(p));
  manifest = other.manifest;
  await expectWhole();
});

it.runIf(LONG)('of a snapshot that does not say where its files were cut all come', async () => {
  const { cuts, ...before } = await readManifest(getSnapshotFolder(ID));
  expect(cuts).toHaveLength(manifest.files.length - 1);
  await writeManifest(getSnapshotFolder(ID), before);
  await uploadSnapshot(store(), ID, { prepared: true, signal: new AbortController().signal });
  expect(readFileSync(findFile('snapshot.json'), 'utf8')).not.toContain('cuts');
  at('shows');
  await expectBelow(makePrefix(3));
  expect(here()).toEqual(manifest.files);
});
