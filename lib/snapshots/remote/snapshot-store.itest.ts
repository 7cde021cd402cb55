import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { checkHealth } from '@/lib/jobs/health';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { getReport } from '@/lib/scans/get-report';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { querySnapshot } from '@/lib/scans/query-snapshot';
import { removeSnapshot } from '@/lib/scans/remove-snapshot';
import { computeChecksums } from '@/lib/snapshots/folder/checksums';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { readServerFile, writeServerFile } from '@/lib/snapshots/folder/server-file';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { withSource } from '@/lib/snapshots/query/with-source';
import { makeRollup } from '@/lib/snapshots/rollup/make-rollup';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { getSnapshotRow, insertSnapshot, recordUpload, updateSnapshot } from '@/lib/store/snapshots';
import { LONG } from '@/test/long-form.mjs';
import { bundledProgram } from '@/test/servers/bundled-program';
import { type ObjectStoreServer, startObjectStore } from '@/test/servers/object-store';
import { until } from '@/test/servers/process';
import { startTcpProxy, type TcpProxy } from '@/test/servers/tcp-proxy';
import { makeAudit } from '@/test/snapshots/made-audit';
import { madeRows } from '@/test/snapshots/made-rows';
import { dataFolder, makeManifest, writeParts } from '@/test/snapshots/make-snapshot';
import { onceItHasCome } from '@/test/snapshots/once-it-has-come';
import { temporaryData } from '@/test/temporary-data';
import { bringKeys, bringSnapshot } from './bring-snapshot';
import { claimPlace } from './claim-place';
import { collectGarbage, GARBAGE_AGE_MS } from './collect-garbage';
import { readContents, toContentsName, toFileObjectName } from './contents';
import { evictLocal } from './evict-local';
import { keepSnapshotStore } from './keep-store';
import { getObjectStore, type ObjectStore } from './objects/object-store';
import { readStoredMark } from './stored-mark';
import { uploadSnapshot } from './upload-snapshot';
import { startUploads, stopUploads, uploadSoon } from './upload-soon';

/** Two machines with a disk each are simulated by one process that is given the other folder. */
let server: ObjectStoreServer;
let proxy: TcpProxy;
let data: ReturnType<typeof temporaryData>;
let n = 0;
let originals: Awaited<ReturnType<typeof dataFolder>>;
beforeAll(async () => {
  server = await startObjectStore();
  proxy = await startTcpProxy(server.port);
  originals = await dataFolder();
});
afterAll(async () => {
  await proxy.close();
  await server.close();
  await originals.clean();
});
beforeEach(() => {
  data = temporaryData();
  n++;
  Object.assign(process.env, server.env(proxy.port), {
    COLONNADE_SNAPSHOT_STORE: `s3://${server.bucket}/test-${n}`,
  });
  proxy.spoil({ kind: 'none' });
  at('scans');
});
afterEach(async () => {
  await stopUploads();
  startUploads();
  for (const name of Object.keys(process.env)) if (/^COLONNADE_(S3_|SNAPSHOT)/.test(name)) delete process.env[name];
  await data.remove();
});

function at(machine: 'scans' | 'shows'): void {
  const dir = join(data.dir, machine);
  mkdirSync(dir, { recursive: true });
  process.env.COLONNADE_SNAPSHOTS = dir;
}

const MIB = 1024 * 1024;
const GARBAGE_AT = 'snapshot_garbage_at';
const store = () => getObjectStore() as ObjectStore;
const never = new AbortController().signal;
/** So many keys that an upload takes a while, and that files are large enough to be interrupted in the middle. */
const MANY = 20_000;
const FEW = 2000;
const upload = (id: string) => uploadSnapshot(store(), id, { prepared: true, signal: never });

/** Sealed and rolled up once per number of keys; each snapshot is a copy of it with its own id. */
async function makeOriginal(keys: number): Promise<string> {
  const dir = join(originals.root, `${keys}`);
  if (existsSync(dir)) return dir;
  const parts = await writeParts(dir, madeRows(keys), 5000);
  await sealSnapshot(dir, parts, {
    manifest: (stats) => makeManifest({ state: 'sealed', keys: stats.keys, fileBytes: stats.fileBytes }),
  });
  await makeRollup({ dir, manifest: await readManifest(dir) });
  return dir;
}

async function sealed(id: string, keys = MANY): Promise<string> {
  const dir = getSnapshotFolder(id);
  const original = await makeOriginal(keys);
  cpSync(original, dir, { recursive: true });
  await writeManifest(dir, { ...(await readManifest(original)), id });
  const counts = { keys, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null };
  const row = { instanceId: 'i', jobId: null, state: 'sealed' as const, startedAt: 1, endedAt: 2, partial: false };
  await insertSnapshot({ id, ...row, ...counts, heldBy: 'worker-1' });
  await claimPlace(store());
  return dir;
}
const count = async (id: string) => {
  const dir = getSnapshotFolder(id);
  const rows = await withSource({ dir, manifest: await readManifest(dir) }, ({ query, keys }) =>
    query<{ n: number }>(`SELECT count(*) AS n FROM ${keys}`),
  );
  return rows[0]?.n;
};
const listHere = (id: string) => readdirSync(getSnapshotFolder(id), { recursive: true, encoding: 'utf8' });

it('brings the roll-up first and the keys when they are asked', async () => {
  await sealed('firstone');
  const here = await getReport(LOCAL_ADMIN, 'firstone', 'overview', {});
  const keys = await getReport(LOCAL_ADMIN, 'firstone', 'keys', { limit: 20 });
  expect(await upload('firstone')).toBe('stored');
  expect((await getSnapshotRow('firstone'))?.storedAt).toBeGreaterThan(0);
  at('shows');
  const manifest = await onceItHasCome(() => getSnapshot(LOCAL_ADMIN, 'firstone'));
  expect(manifest.keys).toBe(here.report.keys);
  const overview = () => getReport(LOCAL_ADMIN, 'firstone', 'overview', {});
  expect((await onceItHasCome(overview)).report).toEqual(here.report);
  expect(listHere('firstone').filter((file) => /^keys/.test(file))).toEqual([]);
  const asked = () => getReport(LOCAL_ADMIN, 'firstone', 'keys', { limit: 20 });
  expect((await onceItHasCome(asked)).report).toEqual(keys.report);
  expect(listHere('firstone').filter((file) => /^keys/.test(file))).not.toEqual([]);
  expect(listHere('firstone').filter((file) => /tmp/.test(file))).toEqual([]);
});

it.each(['snapshot.json', 'server.json'])('brings %s again when the copy here is damaged', async (file) => {
  const dir = await sealed('worn0001', FEW);
  const audit = makeAudit({ uptimeSeconds: 600 });
  await writeServerFile(dir, audit);
  const manifest = await readManifest(dir);
  const checksums = { ...manifest.checksums, ...(await computeChecksums(dir, ['server.json'])) };
  await writeManifest(dir, { ...manifest, checksums });
  await upload('worn0001');
  const bytes = readFileSync(join(dir, file));
  bytes[40]! ^= 1;
  writeFileSync(join(dir, file), bytes);
  const ask = () => querySnapshot(LOCAL_ADMIN, 'worn0001', async (ref) => [ref.manifest, await readServerFile(ref)]);
  await expect(ask()).rejects.toMatchObject({ code: 'snapshot_damaged', details: { damaged: [file] } });
  expect(await onceItHasCome(ask)).toEqual([{ ...manifest, checksums }, audit]);
});

it('does not send a damaged description', async () => {
  const dir = await sealed('worn0002', FEW);
  const text = readFileSync(join(dir, 'snapshot.json'), 'utf8');
  writeFileSync(join(dir, 'snapshot.json'), text.replace('"keys": ', '"keys": 1'));
  await expect(upload('worn0002')).rejects.toMatchObject({ code: 'snapshot_damaged' });
});

it.runIf(LONG)('says how far it is while a snapshot comes slowly, and goes on', async () => {
  await sealed('slowone1');
  await upload('slowone1');
  at('shows');
  await bringSnapshot('slowone1');
  proxy.spoil({ kind: 'slow', bytesPerSecond: 50_000 });
  const asked = getReport(LOCAL_ADMIN, 'slowone1', 'keys', {});
  await expect(asked).rejects.toMatchObject({
    code: 'snapshot_fetching',
    details: { doneMb: expect.any(Number), totalMb: expect.any(Number), retryAfterSeconds: 2 },
  });
  proxy.spoil({ kind: 'none' });
  await bringKeys('slowone1', { maxWaitMs: null });
  expect(await count('slowone1')).toBe((await getSnapshot(LOCAL_ADMIN, 'slowone1')).keys);
});

it('keeps a snapshot here while the store is down, says why, and sends it when it is back', async () => {
  await sealed('downone1', FEW);
  await server.stop();
  uploadSoon('downone1', { prepared: true });
  await until('the failure to be told', async () => (await getSnapshotRow('downone1'))?.storeError != null);
  const health = (await checkHealth()).snapshotStore;
  expect(health).toMatchObject({
    ok: false,
    waiting: 1,
    failing: 1,
    error: expect.stringMatching(/cannot be reached/),
  });
  process.env.COLONNADE_SNAPSHOT_CACHE_MB = '64';
  expect(await count('downone1')).toBeGreaterThan(0);
  at('shows');
  await expect(getSnapshot(LOCAL_ADMIN, 'downone1')).rejects.toMatchObject({ code: 'snapshot_store_away' });
  at('scans');
  await server.start();
  await until('the upload', async () => (await getSnapshotRow('downone1'))?.storedAt != null);
  expect((await getSnapshotRow('downone1'))?.storeError).toBeNull();
  expect((await checkHealth()).snapshotStore).toMatchObject({ ok: true, waiting: 0 });
});

it.each([
  ['reset in an upload', { kind: 'reset', way: 'up', after: 40_000 }],
  ['reset before an answer', { kind: 'reset', way: 'down', after: 10 }],
  ['changes what is sent', { kind: 'flip', way: 'up', every: 30_000 }],
  ['503', { kind: 'answer', text: 'HTTP/1.1 503 Slow Down\r\ncontent-length: 0\r\nconnection: close\r\n\r\n' }],
] as const)('a store that is spoilt (%s) leaves no half snapshot behind', async (_, fault) => {
  const dir = await sealed('spoilt01');
  proxy.spoil(fault);
  await expect(upload('spoilt01')).rejects.toMatchObject({ code: expect.stringMatching(/^snapshot_store_/) });
  proxy.spoil({ kind: 'none' });
  expect(await readStoredMark(dir)).toBeNull();
  expect(await readContents(store(), 'spoilt01')).toBeNull();
  at('shows');
  await expect(getSnapshot(LOCAL_ADMIN, 'spoilt01')).rejects.toMatchObject({
    code: 'snapshot_elsewhere',
    details: { host: 'worker-1' },
  });
  at('scans');
  expect(await upload('spoilt01')).toBe('stored');
});

it.each([
  ['ends in the middle', { kind: 'reset', way: 'down', after: 20_000 }],
  ['is changed on its way', { kind: 'flip', way: 'down', every: 20_000 }],
] as const)('a file that %s never gets its name', async (_, fault) => {
  await sealed('broken01');
  await upload('broken01');
  at('shows');
  await bringSnapshot('broken01');
  proxy.spoil(fault);
  await expect(bringKeys('broken01', { maxWaitMs: null })).rejects.toMatchObject({ code: 'snapshot_store_away' });
  expect(listHere('broken01').filter((file) => /^keys/.test(file))).toEqual([]);
  proxy.spoil({ kind: 'none' });
  expect(await bringKeys('broken01', { maxWaitMs: null })).toBe(true);
  expect(await count('broken01')).toBeGreaterThan(0);
});

it('says that the store is away when an object that is read back breaks off', async () => {
  await sealed('readback');
  const put = store().put;
  vi.spyOn(store(), 'put').mockImplementation(async (name, body, ...more) => {
    await put(name, body, ...more);
    if (body.byteLength > 200_000) proxy.spoil({ kind: 'reset', way: 'down', after: 150_000 });
    // Without an ETag the object is read back; the connection ends within its content.
    return null;
  });
  await expect(upload('readback')).rejects.toMatchObject({ code: 'snapshot_store_away' });
  vi.restoreAllMocks();
});

it('goes on where an upload was killed, and two at once come to one whole snapshot', async () => {
  const program = await bundledProgram('test/snapshots/upload-worker.ts');
  await sealed('killed01');
  proxy.spoil({ kind: 'slow', bytesPerSecond: 100_000 });
  const start = () =>
    spawn(process.execPath, [program, 'killed01'], {
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const killed = start();
  await once(killed.stdout, 'data');
  await until('it to have sent something', async () => (await store().list('killed01/')).length > 0);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(await readContents(store(), 'killed01')).toBeNull();
  proxy.spoil({ kind: 'none' });
  const both = [start(), start()].map((child) => once(child, 'exit'));
  expect((await Promise.all(both)).map(([code]) => code)).toEqual([0, 0]);
  at('shows');
  await bringKeys('killed01', { maxWaitMs: null });
  expect(await count('killed01')).toBe((await getSnapshot(LOCAL_ADMIN, 'killed01')).keys);
});

it('lets go of what was not used for longest, never of what is read or not stored', async () => {
  process.env.COLONNADE_SNAPSHOT_CACHE_MB = '64';
  // Replaces many files.
  const fill = (dir: string) => writeFileSync(join(dir, 'server.json'), Buffer.alloc(3 * MIB, 32));
  for (const id of ['oldest01', 'second01', 'unsent01']) fill(await sealed(id, FEW));
  await upload('oldest01');
  await new Promise((resolve) => setTimeout(resolve, 20));
  await upload('second01');
  await withSource(
    { dir: getSnapshotFolder('oldest01'), manifest: await readManifest(getSnapshotFolder('oldest01')) },
    () => evictLocal(store(), 56 * MIB),
  );
  const here = () => readdirSync(process.env.COLONNADE_SNAPSHOTS as string).filter((name) => !name.startsWith('.'));
  expect(here().toSorted()).toEqual(['oldest01', 'unsent01']);
  await evictLocal(store(), 60 * MIB);
  expect(here()).toEqual(['unsent01']);
  const again = () => getReport(LOCAL_ADMIN, 'second01', 'overview', {});
  expect((await onceItHasCome(again)).report.keys).toBeGreaterThan(0);
});

it('keeps the local files of a snapshot that the store has lost, and sends it again', async () => {
  process.env.COLONNADE_SNAPSHOT_CACHE_MB = '64';
  const dir = await sealed('lostone1', FEW);
  await upload('lostone1');
  for (const { name } of await store().list('lostone1/keys')) await store().remove(name);
  await evictLocal(store(), 100 * MIB);
  expect(await count('lostone1')).toBeGreaterThan(0);
  await until('it to be sent again', async () => (await store().list('lostone1/keys')).length > 0);
  await until('the mark', async () => (await readStoredMark(dir)) !== null);
});

it('removes a snapshot from the store with its row, also while it is being uploaded', async () => {
  await sealed('removed1', FEW);
  await sealed('removed2');
  await upload('removed1');
  await removeSnapshot(LOCAL_ADMIN, 'removed1');
  await until('its objects to go', async () => (await store().list('removed1/')).length === 0);
  proxy.spoil({ kind: 'slow', bytesPerSecond: 300_000 });
  const uploading = upload('removed2').catch(() => null);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const reading = count('removed2').catch(() => null);
  await removeSnapshot(LOCAL_ADMIN, 'removed2');
  await Promise.allSettled([uploading, reading]);
  proxy.spoil({ kind: 'none' });
  await vi.waitFor(async () => expect(await store().list('removed2/contents')).toEqual([]), 20_000);
  await expect(getSnapshot(LOCAL_ADMIN, 'removed2')).rejects.toMatchObject({ code: 'not_found' });
});

it('collects what no row knows and what an upload left, by age, and nothing younger', async () => {
  await sealed('kept0001', FEW);
  await upload('kept0001');
  const text = Buffer.from('{}');
  await store().put('kept0001/rollup-1/half.parquet.0000', text, Buffer.alloc(32));
  await store().put('unknown1/keys.parquet.0000', text, Buffer.alloc(32));
  await store().put(toContentsName('unknown1'), text, Buffer.alloc(32));
  expect(await collectGarbage(store(), Date.now())).toBe(0);
  expect(await collectGarbage(store(), Date.now() + GARBAGE_AGE_MS + 60_000)).toBe(3);
  expect(await store().list('unknown1/')).toEqual([]);
  at('shows');
  await bringKeys('kept0001', { maxWaitMs: null });
  expect(await count('kept0001')).toBeGreaterThan(0);
});

/** Creates snapshots that were stored two days ago. `noted` = their rows record the number of objects. */
async function storedLongAgo(ids: readonly string[], noted: boolean): Promise<void> {
  await claimPlace(store());
  const text = Buffer.from('rows');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const files = [{ path: 'snapshot.json', bytes: text.length, sha256 }];
  for (const id of ids) {
    const counts = { keys: 1, bytes: null, bigkeys: null, noExpiryKeys: null, fileBytes: null, partial: false };
    await insertSnapshot({ id, instanceId: 'i', jobId: null, state: 'sealed', startedAt: 1, endedAt: 2, ...counts });
    const contents = { version: 1 as const, id, prepared: true, uploadedAt: 1, files };
    for (const [name, body] of [
      [toFileObjectName(id, files[0]!), text],
      [toContentsName(id), Buffer.from(JSON.stringify(contents))],
    ] as const)
      await store().put(name, body, createHash('sha256').update(body).digest());
    if (noted) await recordUpload(id, 2);
  }
  age();
}
function age(): void {
  const then = new Date(Date.now() - 2 * GARBAGE_AGE_MS);
  for (const name of readdirSync(server.folder, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(server.folder, name), then, then);
}
const IDS = Array.from({ length: 50 }, (_, i) => `longago${String(i).padStart(2, '0')}`);
const listsRead = (get: { mock: { calls: unknown[][] } }) =>
  get.mock.calls.filter(([name]) => String(name).endsWith('contents.json')).map(([name]) => String(name).split('/')[0]);

it.runIf(LONG)('looks for garbage once for all processes, and reads no list of what is as it was stored', async () => {
  await storedLongAgo(IDS, true);
  const get = vi.spyOn(store(), 'get');
  const list = vi.spyOn(store(), 'list');
  const both = [await keepSnapshotStore(), await keepSnapshotStore()];
  await until('a look for garbage', async () => list.mock.calls.some(([under]) => under === ''));
  await new Promise((resolve) => setTimeout(resolve, 500));
  await Promise.all(both.map((one) => one.stop()));
  const again = await keepSnapshotStore();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await again.stop();
  expect(list.mock.calls.filter(([under]) => under === '')).toHaveLength(1);
  expect(listsRead(get)).toEqual([]);
  // Additional objects are compared with the list.
  await store().put('longago07/keys.parquet.0000', Buffer.from('{}'), Buffer.alloc(32));
  age();
  expect(await collectGarbage(store(), Date.now())).toBe(1);
  expect(listsRead(get)).toEqual(['longago07']);
  vi.restoreAllMocks();
});

it('reads a list once whose number of objects is in no row', async () => {
  await storedLongAgo(IDS.slice(0, 5), false);
  const get = vi.spyOn(store(), 'get');
  for (const _ of [1, 2]) expect(await collectGarbage(store(), Date.now())).toBe(0);
  expect(listsRead(get)).toEqual(IDS.slice(0, 5));
  vi.restoreAllMocks();
});

it('a look that failed is somebody else’s turn, and one that stops waits for no store', async () => {
  await storedLongAgo(IDS.slice(0, 1), true);
  const list = vi.spyOn(store(), 'list').mockRejectedValueOnce(new Error('away'));
  const first = await keepSnapshotStore();
  await until('the failure', async () => list.mock.calls.length === 1 && (await getSetting(GARBAGE_AT)) === '0');
  await first.stop();
  list.mockImplementation(
    (_under, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  const second = await keepSnapshotStore();
  await until('the second look', async () => list.mock.calls.length === 2);
  // The check only ends because it is aborted.
  await second.stop();
  vi.restoreAllMocks();
  // If the disk has no room left, each snapshot is checked in the store; that check also ends with the process.
  process.env.COLONNADE_SNAPSHOT_CACHE_MB = '64';
  await sealed('asked001', FEW);
  await upload('asked001');
  await expect(evictLocal(store(), 64 * MIB, AbortSignal.abort())).rejects.toThrow();
  expect(await readStoredMark(getSnapshotFolder('asked001'))).not.toBeNull();
});

it('refuses a place that belongs to another database', async () => {
  await sealed('claimed1', FEW);
  expect(await getSetting('snapshot_store')).toMatch(/^[0-9a-f]{16}$/);
  await setSetting('snapshot_store', 'ffffffffffffffff');
  process.env.COLONNADE_S3_REGION = 'eu-1';
  await expect(claimPlace(store())).rejects.toMatchObject({
    code: 'snapshot_store_refused',
    message: expect.stringMatching(/another Colonnade.*another prefix/),
  });
});

it('says what is wrong with key and bucket', async () => {
  // The answer of S3; the test server accepts every key.
  const body = '<Error><Code>SignatureDoesNotMatch</Code><Message>…</Message></Error>';
  proxy.spoil({
    kind: 'answer',
    text: `HTTP/1.1 403 Forbidden\r\ncontent-type: application/xml\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  });
  await expect(store().list('')).rejects.toMatchObject({
    code: 'snapshot_store_refused',
    message: expect.stringMatching(/secret key is wrong/),
  });
  proxy.spoil({ kind: 'none' });
  process.env.COLONNADE_SNAPSHOT_STORE = 's3://no-such-bucket';
  await expect(store().list('')).rejects.toMatchObject({ message: expect.stringMatching(/no such bucket/) });
  await expect(store().get('a')).rejects.toMatchObject({ message: expect.stringMatching(/no such bucket/) });
});

it('gives up on a store that takes connections and never answers', async () => {
  const { createTimedFetch } = await import('./objects/timed-fetch');
  proxy.spoil({ kind: 'silent' });
  const asked = createTimedFetch(undefined, { answerMs: 300, stallMs: 300 })(`http://127.0.0.1:${proxy.port}/`);
  await expect(asked).rejects.toThrow();
});

it.runIf(LONG)('an unprepared upload is waited for, and a second one adds only what is new', async () => {
  const dir = await sealed('twotimes', FEW);
  rmSync(join(dir, 'rollup-1'), { recursive: true });
  await uploadSnapshot(store(), 'twotimes', { prepared: false, signal: never });
  at('shows');
  await expect(bringSnapshot('twotimes')).rejects.toMatchObject({
    code: 'snapshot_elsewhere',
    message: expect.stringMatching(/being prepared/),
  });
  at('scans');
  await makeRollup({ dir, manifest: await readManifest(dir) });
  const keys = (await store().list('twotimes/keys'))[0];
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await upload('twotimes');
  expect((await store().list('twotimes/keys'))[0]).toEqual(keys);
  at('shows');
  await bringSnapshot('twotimes');
  expect(listHere('twotimes').filter((file) => /^rollup-1\//.test(file)).length).toBeGreaterThan(5);
  await updateSnapshot('twotimes', { storeError: null });
  expect(readFileSync(join(getSnapshotFolder('twotimes'), 'stored.json'), 'utf8')).toContain('"prepared":true');
});
