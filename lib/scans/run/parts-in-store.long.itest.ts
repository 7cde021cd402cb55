import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { JobBlocked } from '@/lib/jobs/loop/kind';
import type { WaitReason } from '@/lib/model/job';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { snapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { type ObjectStore, objectStore } from '@/lib/snapshots/remote/objects/object-store';
import { scanPlace } from '@/lib/snapshots/remote/scan-files';
import { makeSmallDisk, noSmallDisk } from '@/test/disks/small-disk';
import { type ObjectStoreServer, startObjectStore } from '@/test/servers/object-store';
import { until } from '@/test/servers/process';
import { startTcpProxy, type TcpProxy } from '@/test/servers/tcp-proxy';
import { madeRows } from '@/test/snapshots/made-rows';
import { manifestOf, writeParts } from '@/test/snapshots/make-snapshot';
import { temporaryData } from '@/test/temporary-data';
import { newCheckpoint } from './begin-scan';
import { goOnElsewhere, partsAreHere } from './go-on-elsewhere';
import { PartsInStore } from './parts-in-store';
import type { ScanCheckpoint } from './scan-checkpoint';

/** Two workers with one disk each are simulated by this process with two folders. */
const ID = 'portable1';
let server: ObjectStoreServer;
let proxy: TcpProxy;
let data: ReturnType<typeof temporaryData>;
let n = 0;
beforeAll(async () => {
  server = await startObjectStore();
  proxy = await startTcpProxy(server.port);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});
let parts: string[];
let written: ScanCheckpoint[];
let keeper: PartsInStore;
beforeEach(async () => {
  data = temporaryData();
  Object.assign(process.env, server.env(proxy.port), {
    COLONNADE_SNAPSHOT_STORE: `s3://${server.bucket}/parts-${++n}`,
  });
  proxy.spoil({ kind: 'none' });
  at('first');
  parts = await writeParts(snapshotFolder(ID), madeRows(6000), 1000);
  written = [];
  keeper = keeping(null);
});
afterEach(async () => {
  await keeper.stop(0);
  for (const name of Object.keys(process.env)) if (/^COLONNADE_(S3_|SNAPSHOT)/.test(name)) delete process.env[name];
  await data.remove();
});

function at(worker: 'first' | 'second'): void {
  const dir = join(data.dir, worker);
  mkdirSync(dir, { recursive: true });
  process.env.COLONNADE_SNAPSHOTS = dir;
}
const store = () => objectStore() as ObjectStore;
const never = new AbortController().signal;
function keeping(from: ScanCheckpoint | null): PartsInStore {
  const write = async (state: ScanCheckpoint) => void written.push(JSON.parse(JSON.stringify(state)));
  return new PartsInStore({ store: store(), snapshotId: ID, dir: snapshotFolder(ID), from, signal: never, write });
}
/** Returns the state of a scan that has read `count` parts. */
function state(count: number, more: Partial<ScanCheckpoint> = {}): ScanCheckpoint {
  const partition = { node: 0, db: 0, runId: 'r', cursor: String(count), done: false, keys: count * 1000, vanished: 0 };
  const counts = { restarts: 0, keysAtStart: null, keysAtEnd: null };
  return {
    ...newCheckpoint(ID, ScanOptions.parse({})),
    partitions: [{ ...partition, ...counts, parts: parts.slice(0, count) }],
    ...more,
  };
}
const lastOne = () => written.at(-1) as ScanCheckpoint;
const cursorElsewhere = () => lastOne()?.portable?.partitions[0]?.cursor;
const arrived = (count: number) => until(`part ${count}`, async () => cursorElsewhere() === String(count));

let reasons: (WaitReason | null | undefined)[];
function goOn(checkpoint: ScanCheckpoint, { retryForMs = 60_000, asked = (): boolean => false } = {}) {
  reasons = [];
  const context = {
    signal: never,
    stopped: new Promise<void>(() => {}),
    withoutPlace: (wait: () => Promise<void>) => wait(),
    stopRequested: () => (asked() ? ('pause' as const) : null),
    report: ({ reason }: { reason?: WaitReason | null }) => void reasons.push(reason),
  };
  return goOnElsewhere(context, store(), checkpoint, retryForMs);
}
const refusing = {
  kind: 'answer',
  text: 'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
} as const;
const away = {
  kind: 'answer',
  text: 'HTTP/1.1 503 Slow Down\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
} as const;

it('a worker with another disk goes on from the newest state whose parts have arrived', async () => {
  await keeper.save(state(1));
  await keeper.save(state(3));
  await arrived(3);
  expect(await partsAreHere(lastOne())).toBe(true);
  const contents = parts.map((part) => readFileSync(join(snapshotFolder(ID), part)));
  at('second');
  expect(await partsAreHere(lastOne())).toBe(false);
  const from = (await goOn(lastOne())) as ScanCheckpoint;
  expect(from.partitions).toEqual(state(3).partitions);
  expect(readdirSync(snapshotFolder(ID)).toSorted()).toEqual(parts.slice(0, 3).toSorted());
  for (const [i, part] of parts.slice(0, 3).entries())
    expect(readFileSync(join(snapshotFolder(ID), part)).equals(contents[i]!)).toBe(true);
  expect(reasons.map((reason) => reason?.code ?? null)).toContain('parts_fetching');
  expect(reasons.at(-1)).toBeNull();
  // Later changes of the state do not change the stored one.
  from.partitions[0]!.parts.push('other');
  expect(from.portable?.partitions).toEqual(state(3).partitions);
});

it('a disk on which the scan was before takes what it lacks, and keeps nothing of another state', async () => {
  await keeper.save(state(4));
  await arrived(4);
  const dir = snapshotFolder(ID);
  rmSync(join(dir, parts[2]!));
  await writeManifest(dir, manifestOf({ id: ID, state: 'sealed' }));
  writeFileSync(join(dir, 'sealing.json'), '{}');
  expect(await partsAreHere(lastOne())).toBe(false);
  const get = vi.spyOn(store(), 'get');
  expect(await goOn(lastOne())).toMatchObject({ partitions: state(4).partitions });
  expect(get.mock.calls.map(([name]) => name).filter((name) => name.includes('/part-'))).toHaveLength(1);
  vi.restoreAllMocks();
  expect(readdirSync(dir).toSorted()).toEqual(parts.slice(0, 4).toSorted());
});

it.each([
  ['refuses', refusing],
  ['is away', away],
  ['never answers', { kind: 'silent' }],
] as const)('a store that %s holds no scan up, and is caught up with later', async (_, fault) => {
  await keeper.save(state(1));
  await arrived(1);
  proxy.spoil(fault);
  // Both calls return, and neither part is in the store yet.
  for (const count of [2, 3]) await keeper.save(state(count));
  expect(lastOne().partitions[0]?.parts).toHaveLength(3);
  // Parts two and three are on the first disk only: elsewhere they are read again.
  expect(cursorElsewhere()).toBe('1');
  if (fault.kind === 'silent') return;
  proxy.spoil({ kind: 'none' });
  // The parts arrive without another checkpoint, because the scan may be sealing or waiting for its server.
  await arrived(3);
  expect(lastOne().partitions[0]?.parts).toHaveLength(3);
});

it('what was read before servers or slots changed is not gone on from', async () => {
  await keeper.save(state(2));
  await arrived(2);
  proxy.spoil(away);
  await keeper.save(state(2, { restarts: 1 }));
  // All its parts are in the store already.
  expect(lastOne().portable?.restarts).toBe(1);
  await keeper.save(state(3, { restarts: 2 }));
  expect(lastOne().portable).toBeUndefined();
  proxy.spoil({ kind: 'none' });
  await arrived(3);
});

it('a run that goes on sends only what is new, and a part that is gone holds up none behind it', async () => {
  await keeper.save(state(3));
  await arrived(3);
  await keeper.stop(0);
  rmSync(join(snapshotFolder(ID), parts[3]!));
  const put = vi.spyOn(store(), 'put');
  keeper = keeping(lastOne());
  const gone = state(4);
  await keeper.save(gone);
  const after = state(5);
  after.partitions[0]!.parts = [...parts.slice(0, 3), parts[4]!];
  await keeper.save(after);
  await arrived(5);
  expect(put.mock.calls.map(([name]) => name).filter((name) => name.includes('/part-'))).toHaveLength(1);
  vi.restoreAllMocks();
});

it('when all is read the descriptions go with the parts as they are then, and the second one can seal', async () => {
  const dir = snapshotFolder(ID);
  await writeManifest(dir, manifestOf({ id: ID, moreCommands: ['info'] }));
  writeFileSync(join(dir, 'server.json'), '{"nodes":[]}');
  proxy.spoil(away);
  await keeper.save(state(3, { readingDone: true }));
  // Sealing begins at once.
  await writeManifest(dir, manifestOf({ id: ID, state: 'sealed' }));
  proxy.spoil({ kind: 'none' });
  await arrived(3);
  at('second');
  expect(await goOn(lastOne())).toMatchObject({ readingDone: true });
  expect(await readManifest(snapshotFolder(ID))).toMatchObject({ state: 'live', moreCommands: ['info'] });
  expect(readFileSync(join(snapshotFolder(ID), 'server.json'), 'utf8')).toBe('{"nodes":[]}');
});

it.each(['changed', 'lost'] as const)(
  'with a part that was %s in the store there is nothing to go on from',
  async (how) => {
    await keeper.save(state(3));
    await arrived(3);
    const found = readdirSync(server.folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes(`parts-${n}/`) && name.includes(parts[1]!))
      .map((name) => join(server.folder, name));
    const file = found.find((name) => /_object$/.test(name))!;
    if (how === 'lost') for (const name of found) rmSync(name);
    else {
      const bytes = readFileSync(file);
      bytes[Math.floor(bytes.length / 2)]! ^= 1;
      writeFileSync(file, bytes);
    }
    at('second');
    expect(await goOn(lastOne())).toBeNull();
  },
);

it('a store that refuses then is waited for with a reason; in vain, a person is asked', async () => {
  await keeper.save(state(2));
  await arrived(2);
  at('second');
  proxy.spoil(refusing);
  const going = goOn(lastOne());
  await until('the reason', async () => reasons.some((reason) => reason?.code === 'snapshot_store_refused'));
  proxy.spoil({ kind: 'none' });
  expect(await going).toMatchObject({ partitions: state(2).partitions });
  expect(reasons.at(-1)).toBeNull();
  rmSync(snapshotFolder(ID), { recursive: true });
  proxy.spoil(away);
  const blocked = await goOn(lastOne(), { retryForMs: 0 }).catch((error) => error);
  expect(blocked).toBeInstanceOf(JobBlocked);
  expect(blocked.reason.code).toBe('snapshot_store_away');
  let looks = 0;
  expect(await goOn(lastOne(), { asked: () => ++looks > 2 })).toBe('stopped');
});

it('a disk without room for the parts says so', async () => {
  const missing = noSmallDisk();
  if (missing !== null) throw new Error(missing);
  await keeper.save(state(3));
  await arrived(3);
  const disk = makeSmallDisk(1);
  try {
    process.env.COLONNADE_SNAPSHOTS = disk.dir;
    disk.fill(8192);
    await expect(goOn(lastOne())).rejects.toMatchObject({ code: 'disk_full' });
  } finally {
    disk.remove();
  }
});

it('two runs of one scan write over nothing of each other', async () => {
  await keeper.save(state(2));
  await arrived(2);
  const before = await store().list(`${scanPlace(ID)}/`);
  at('second');
  const dir = snapshotFolder(ID);
  mkdirSync(dir, { recursive: true });
  // The parts have the same names. In practice each run has its own names, and here not even that is needed.
  for (const part of parts.slice(0, 2)) writeFileSync(join(dir, part), 'something else');
  const other = keeping(null);
  await other.save(state(2));
  await until('its parts', async () => (await store().list(`${scanPlace(ID)}/`)).length === 4);
  await other.stop(0);
  for (const object of before) expect(await store().list(object.name)).toEqual([object]);
});
