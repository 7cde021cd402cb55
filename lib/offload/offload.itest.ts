import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { getPriority } from 'node:os';
import path from 'node:path';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { policyOf } from '@/lib/findings/policy/effective-policy';
import { STANDARD_THRESHOLDS } from '@/lib/model/keys/bigkey-thresholds';
import type { Preparation } from '@/lib/model/snapshots/preparation';
import { makeRollup } from '@/lib/rollup/make-rollup';
import { readRollupMeta } from '@/lib/rollup/rollup-folder';
import { presets } from '@/lib/rules/profiles/presets';
import { writeManifest } from '@/lib/snapshots/folder/manifest';
import { sealSnapshot } from '@/lib/snapshots/seal/seal-snapshot';
import { sortedCopies } from '@/lib/snapshots/seal/sorted-copies';
import { LONG } from '@/test/long-form.mjs';
import { madeRows } from '@/test/snapshots/made-rows';
import { manifestOf, writeParts } from '@/test/snapshots/make-snapshot';
import { withWorkerFromSources, workers } from '@/test/snapshots/worker-from-sources';
import { offload, offloadSort } from './offload';
import { preparationOf } from './preparations';
import type { TaskProgress } from './task';
import { NICE, WorkerProcess } from './worker-process';

const data = withWorkerFromSources();

/** Of some parts: whoever kills or stops a task in the middle finds it there. */
const KEYS = 24_000;
const keys = KEYS;
const bigkeys = STANDARD_THRESHOLDS;
let dir = '';
let parts: string[] = [];
let nth = 0;
let original = '';
beforeAll(async () => {
  original = path.join(data.dir, 'original');
  parts = await writeParts(original, madeRows(KEYS), KEYS / 12);
});
beforeEach(async () => {
  dir = path.join(data.dir, 'snapshots', `task${++nth}`);
  await mkdir(path.dirname(dir), { recursive: true });
  await cp(original, dir, { recursive: true });
  await writeManifest(dir, manifestOf({ id: `task${nth}` }));
});

const describe = (from: string) =>
  sealSnapshot(from, parts, {
    bigkeys,
    manifest: (stats) =>
      manifestOf({ id: path.basename(from), state: 'sealed', keys: stats.keys, fileBytes: stats.fileBytes }),
  });

it('comes to the same files as this process, and says how far it is', async () => {
  const twin = `${dir}twin`;
  await cp(dir, twin, { recursive: true });
  const progress: TaskProgress[] = [];
  expect(
    await offload({ kind: 'seal', dir, parts, bigkeys }, { keys, onProgress: (one) => progress.push(one) }),
  ).not.toBeNull();
  const { stage, done, total } = progress.at(-1)!;
  expect([stage, done]).toEqual(['sealing', total]);
  expect(total).toBeGreaterThanOrEqual(KEYS);
  const [ours, theirs] = [await describe(dir), await describe(twin)];
  expect(ours).toEqual(theirs);
  expect(ours.keys).toBeGreaterThan(0);
  for (const name of (await readdir(twin)).filter((file) => file.endsWith('.parquet')))
    expect(await readFile(path.join(dir, name))).toEqual(await readFile(path.join(twin, name)));
  const { keys: sealed, fileBytes } = ours;
  const manifest = manifestOf({ id: path.basename(dir), state: 'sealed', keys: sealed, fileBytes });
  const files = (await readdir(dir)).filter((file) => /^keys.*parquet$/.test(file));
  const ref = { dir, manifest: { ...manifest, files }, bigkeys };
  await writeManifest(dir, ref.manifest);
  expect(await readRollupMeta(ref)).toBeNull();
  expect(await offload({ kind: 'roll-up', dir, bigkeys }, { keys })).not.toBeNull();
  expect(await readRollupMeta(ref)).toEqual(await makeRollup(ref));
});

it('leaves snapshots of few keys to the caller', async () => {
  expect(await offload({ kind: 'seal', dir, parts, bigkeys }, { keys: 999 })).toBeNull();
  vi.stubEnv('COLONNADE_WORKER', '');
  expect(await offload({ kind: 'seal', dir, parts, bigkeys }, { keys })).toBeNull();
  vi.stubEnv('COLONNADE_WORKER', 'no-such-worker.mjs');
  await expect(offload({ kind: 'seal', dir, parts, bigkeys }, { keys })).rejects.toThrow('there is no file');
  vi.stubEnv('COLONNADE_WORKER', data.program);
});

const sort = (part: string) => offloadSort({ kind: 'sort-part', dir, part, bigkeys }, { keys });
/** As the system has it: field 19 of its line, behind the name in brackets. */
const niceOf = (pid: number) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[16]);

it('sorts part after part in one process, which then seals', async () => {
  const twin = `${dir}twin`;
  await cp(dir, twin, { recursive: true });
  for (const part of parts) expect(await sort(part)).toMatchObject({ peakRssBytes: expect.any(Number) });
  expect((await sortedCopies(dir)).size).toBe(parts.length);
  const [worker, ...others] = workers();
  expect(others).toEqual([]);
  // Whoever reads a scan or asks a page goes first.
  expect(niceOf(worker!)).toBe(Math.max(getPriority(), NICE));
  const sealing: number[][] = [];
  await offload({ kind: 'seal', dir, parts, bigkeys }, { keys, onProgress: () => sealing.push(workers()) });
  expect(sealing[0]).toEqual([worker]);
  await vi.waitFor(() => expect(workers()).toEqual([]));
  const [ours, theirs] = [await describe(dir), await describe(twin)];
  expect({ ...ours, fileBytes: 0 }).toEqual({ ...theirs, fileBytes: 0 });
  expect(ours.keys).toBeGreaterThan(0);
});

it.runIf(LONG)(
  'sorts in another process when the one that rested was killed, and ends it for other tasks',
  async () => {
    await sort(parts[0]!);
    const [first] = workers();
    // Before this process hears of it.
    process.kill(first!, 'SIGKILL');
    await sort(parts[1]!);
    const [second] = workers();
    expect(second).not.toBe(first);
    await offload({ kind: 'seal', dir, parts, bigkeys }, { keys });
    await describe(dir);
    await expect(sort('no-such-part.parquet')).rejects.toMatchObject({ code: 'snapshot_unreadable' });
  },
);

it.runIf(LONG)('does not repeat a task at which the process that has sorted was killed', async () => {
  await sort(parts[0]!);
  const ending = offload(
    { kind: 'seal', dir, parts, bigkeys },
    { keys, onProgress: () => workers().forEach((pid) => void process.kill(pid, 'SIGKILL')) },
  );
  await expect(ending).rejects.toMatchObject({ code: 'worker_ended', details: { how: 'SIGKILL' } });
  expect(workers()).toEqual([]);
});

it('leaves no process behind that was stopped before its task', async () => {
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  const worker = new WorkerProcess(data.program);
  const task = { kind: 'sort-part' as const, dir, part: parts[0]!, bigkeys };
  await expect(worker.run({ task, memoryMB: 96 }, { signal: stop.signal })).rejects.toThrow('stopped');
  await vi.waitFor(() => expect(workers()).toEqual([]));
});

it('leaves a part unsorted while it does something else, and where there is no worker or few keys', async () => {
  const rolling = offload({ kind: 'seal', dir, parts, bigkeys }, { keys });
  await vi.waitFor(() => expect(workers()).toHaveLength(1));
  expect(await sort(parts[0]!)).toBe('busy');
  await rolling;
  expect(await offloadSort({ kind: 'sort-part', dir, part: parts[0]!, bigkeys }, { keys: 999 })).toBeNull();
});

it('ends with the sorting that is stopped', async () => {
  const stop = new AbortController();
  const sorting = offloadSort({ kind: 'sort-part', dir, part: parts[0]!, bigkeys }, { keys, signal: stop.signal });
  await vi.waitFor(() => expect(workers()).toHaveLength(1));
  stop.abort(new Error('stopped'));
  await expect(sorting).rejects.toThrow('stopped');
  expect(workers()).toEqual([]);
  expect((await sortedCopies(dir)).size).toBe(0);
});

it('is given no secret', async () => {
  vi.stubEnv('COLONNADE_KEY', 'not-for-the-worker-0123456789abcdef');
  let environment = '';
  const look = () => {
    const [pid] = workers();
    if (pid !== undefined) environment ||= readFileSync(`/proc/${pid}/environ`, 'utf8');
  };
  await offload({ kind: 'seal', dir, parts, bigkeys }, { keys, onProgress: look });
  expect(environment).toContain('COLONNADE_WORKER=');
  expect(environment).not.toContain('not-for-the-worker');
  vi.stubEnv('COLONNADE_KEY', undefined);
});

it('ends the process when it is stopped, and goes on behind what was done', async () => {
  const stop = new AbortController();
  const ending = offload(
    { kind: 'seal', dir, parts, bigkeys },
    { keys, signal: stop.signal, onProgress: () => stop.abort(new Error('stopped')) },
  );
  await expect(ending).rejects.toThrow('stopped');
  expect(workers()).toEqual([]);
  expect((await describe(dir)).keys).toBeGreaterThan(0);
});

it('a process that is killed is an error that says so; the next one goes on', async () => {
  const ending = offload(
    { kind: 'seal', dir, parts, bigkeys },
    { keys, onProgress: () => workers().forEach((pid) => void process.kill(pid, 'SIGKILL')) },
  );
  await expect(ending).rejects.toMatchObject({ code: 'worker_ended', details: { how: 'SIGKILL' } });
  expect(await offload({ kind: 'seal', dir, parts, bigkeys }, { keys })).not.toBeNull();
  expect((await describe(dir)).keys).toBeGreaterThan(0);
});

it('passes on what the task fails with', async () => {
  await rm(path.join(dir, parts[0]!));
  const failing = offload({ kind: 'seal', dir, parts, bigkeys }, { keys });
  await expect(failing).rejects.toMatchObject({ code: 'snapshot_unreadable' });
  await expect(offload({ kind: 'roll-up', dir: `${dir}none`, bigkeys }, { keys })).rejects.toThrow();
});

it.runIf(LONG)('does one task at a time, sealing before others', async () => {
  const ended: string[] = [];
  const start = (name: string, kind: 'seal' | 'roll-up') =>
    offload(kind === 'seal' ? { kind, dir, parts, bigkeys } : { kind, dir, bigkeys }, { keys })
      .catch(() => {})
      .then(() => ended.push(name));
  const all = Promise.all([start('first', 'roll-up'), start('second', 'roll-up'), start('third', 'seal')]);
  let max = 0;
  const watch = setInterval(() => {
    max = Math.max(max, workers().length);
  }, 20);
  await all;
  clearInterval(watch);
  expect(max).toBe(1);
  expect(ended).toEqual(['first', 'third', 'second']);
});

it.runIf(LONG)('tells how far a snapshot is prepared, until it is', async () => {
  await offload({ kind: 'seal', dir, parts, bigkeys }, { keys });
  await describe(dir);
  const seen: (Preparation | null)[] = [];
  const onProgress = () => void seen.push(preparationOf(dir));
  const preparing = offload({ kind: 'roll-up', dir, bigkeys }, { keys, onProgress });
  const next = offload({ kind: 'roll-up', dir: `${dir}none`, bigkeys }, { keys }).catch(() => {});
  expect(preparationOf(dir)).toMatchObject({ task: 'roll-up', share: null });
  expect(preparationOf(`${dir}none`)).toEqual({ task: 'roll-up', waiting: true, share: null });
  await Promise.all([preparing, next]);
  expect(seen.at(-1)).toEqual({ task: 'roll-up', waiting: false, share: 1 });
  seen.length = 0;
  const policy = policyOf(presets.get('default')!);
  await offload({ kind: 'evaluate', dir, policy }, { keys, onProgress });
  const shares = seen.map((one) => one!.share!);
  // The pass over the keys, then each rule about groups.
  expect(shares.length).toBeGreaterThan(5);
  expect([shares[0], shares.at(-1), seen.at(-1)!.task]).toEqual([0, 1, 'evaluate']);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect([preparationOf(dir), preparationOf(`${dir}none`)]).toEqual([null, null]);
});

it('ends when the server is killed', async () => {
  const code = `
    import { offload } from '@/lib/offload/offload';
    await offload({ kind: 'seal', dir: ${JSON.stringify(dir)}, parts: ${JSON.stringify(parts)}, bigkeys: ${JSON.stringify(bigkeys)} },
      { keys: ${keys}, onProgress: () => console.log('working') });`;
  const server: ChildProcess = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => server.stdout!.once('data', resolve));
  const [worker] = workers(server.pid);
  expect(worker).toBeDefined();
  server.kill('SIGKILL');
  await vi.waitFor(() => expect(() => process.kill(worker!, 0)).toThrow(), { timeout: 30_000 });
  // Not because it was done.
  expect(JSON.parse(await readFile(path.join(dir, 'sealing.json'), 'utf8').catch(() => '{}')).counted).toBeUndefined();
});
