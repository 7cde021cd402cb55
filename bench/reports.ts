/**
 * Measures every report on a generated snapshot (10M keys by default) through the HTTP API of the production server,
 * drilled down to three depths; report-routes.ts lists the requests. Then it measures the keyspaces in which nothing
 * groups (SPACES), with every report about the whole keyspace: each in a separate process with its own server;
 * `--space` measures only one. The data folder is kept and reused: `--data`. Exits with 1 if a limit is missed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readManifest, writeManifest } from '@/lib/snapshots/folder/manifest';
import { getRollupMetaFile } from '@/lib/snapshots/rollup/rollup-folder';
import { closeStore } from '@/lib/store/open-store';
import { freePort, sleep } from '../test/servers/process';
import { startServer, untilHealthy } from '../test/servers/production-server';
import { findMissedBars, reportsBars, SPACE_BARS, sealingBars } from './figures/bars';
import { type Generated, generateSnapshot } from './keyspaces/generate-snapshot';
import { keyOfSpace } from './keyspaces/hostile-spaces';
import { registerSnapshot } from './keyspaces/register-snapshot';
import { type Ask, measureRoot, measureRoutes, nodesByDepth } from './report-routes';

const { values } = parseArgs({
  options: {
    keys: { type: 'string' },
    space: { type: 'string', default: 'usual' },
    'no-spaces': { type: 'boolean', default: false },
    data: { type: 'string', default: join(tmpdir(), 'colonnade-bench-reports') },
    nodes: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});
const say = (text: string) => values.json || console.log(text);
/** Number of keys of each. What makes a wide level slow is its number of names, not of keys. */
const SPACES = { flat: 5_000_000, words: 1_000_000 };
const space = values.space as 'usual' | keyof typeof SPACES;
const keys = Number(values.keys ?? (space === 'usual' ? 10_000_000 : SPACES[space]));
const data = resolve(values.data);
const ID = 'benchsnapshot';
const INSTANCE = 'benchinstance';
const dir = join(data, 'snapshots', ID);
process.env.COLONNADE_DATA = data;

await mkdir(join(data, 'snapshots'), { recursive: true });
const found = existsSync(join(dir, 'snapshot.json')) ? await readManifest(dir) : null;
let generated: Generated | null = null;
if (found?.keys !== keys) {
  say(`generating ${keys} keys`);
  generated = await generateSnapshot(dir, keys, false, keyOfSpace(space));
  say(JSON.stringify(generated));
  await writeManifest(dir, { ...(await readManifest(dir)), instanceId: INSTANCE });
}
await registerSnapshot(ID, INSTANCE, keys);
await closeStore();

class Refused extends Error {
  constructor(
    question: string,
    readonly body: { error?: { code?: string } },
  ) {
    super(`${question}: ${JSON.stringify(body)}`);
  }
}

const port = await freePort();
let maxTotalRss = 0;
let maxWorkerRss = 0;
const server = startServer(port, data);
const watch = setInterval(() => {
  const { web, workers } = server.programs();
  const sumRss = (pids: number[]) => pids.reduce((sum, pid) => sum + (readStatus(pid, 'VmRSS') ?? 0), 0);
  maxWorkerRss = Math.max(maxWorkerRss, sumRss(workers));
  maxTotalRss = Math.max(maxTotalRss, sumRss([server.pid, web, ...workers]));
}, 50);
const measured = await measure();
const spaces = space === 'usual' && !values['no-spaces'] ? Object.keys(SPACES).map(measureSpace) : [];
const judged = { ...measured, workerPeakRssMiB: Math.max(maxWorkerRss, generated?.peakRssMiB ?? 0) };
const missed = [
  ...('warmP95Ms' in judged ? findMissedBars(reportsBars(keys), judged) : findMissedBars(SPACE_BARS, judged)),
  ...(generated && space === 'usual' ? findMissedBars(sealingBars(keys), judged) : []),
  ...spaces.flatMap((row) => row.missed.map((bar) => `${row.space} ${bar}`)),
];
for (const bar of missed) say(`missed: ${bar}`);
console.log(JSON.stringify({ ...measured, ...(space === 'usual' && { spaces }), missed }));
if (missed.length > 0) process.exitCode = 1;

async function measure() {
  try {
    const origin = `http://127.0.0.1:${port}`;
    await untilHealthy(server, port, 600);
    const began = performance.now();
    while (!existsSync(getRollupMetaFile(dir))) await sleep(200);
    const rollupSeconds = (performance.now() - began) / 1000;
    const { bytes } = JSON.parse(await readFile(getRollupMetaFile(dir), 'utf8'));
    await untilPrepared(origin);
    const preparedSeconds = (performance.now() - began) / 1000;
    say(
      `rolled up in ${rollupSeconds.toFixed(1)} s (0: it was there), rules asked after ${preparedSeconds.toFixed(1)} s, server at ${peakRssMiB()} MiB, worker at ${maxWorkerRss} MiB, both at ${maxTotalRss} MiB`,
    );
    const ask: Ask = async (report, query) => {
      const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      const response = await fetch(`${origin}/api/snapshots/${ID}/reports/${report}?${search}`);
      const body = await response.json();
      if (!response.ok) throw new Refused(`${report}?${search}`, body);
      return body as unknown;
    };
    const { routes, ...figures } = space === 'usual' ? await ofNodes(ask) : await measureRoot(ask, isTooLarge);
    for (const r of routes)
      say(
        `${r.route.padEnd(18)} p50 ${r.warmP50Ms} ms, p95 ${r.warmP95Ms} ms, max ${r.warmMaxMs} ms (${r.samples}); cold ${r.coldMs} ms`,
      );
    return {
      bench: 'reports' as const,
      space,
      keys,
      sealSeconds: generated?.sealSeconds ?? null,
      rollupSeconds,
      preparedSeconds,
      diskPeakBytesPerKey: generated?.diskPeakBytesPerKey ?? null,
      diskPeakPartsBytesPerKey: generated?.diskPeakPartsBytesPerKey ?? null,
      diskPeakKeysBytesPerKey: generated?.diskPeakKeysBytesPerKey ?? null,
      diskPeakSpillBytesPerKey: generated?.diskPeakSpillBytesPerKey ?? null,
      sealPeakRssMiB: generated?.peakRssMiB ?? null,
      rollupMiB: bytes / 2 ** 20,
      readySeconds: generated ? generated.sealSeconds + rollupSeconds : null,
      bytesPerKey: await bytesPerKey(),
      routes,
      ...figures,
      peakRssMiB: peakRssMiB(),
      workerPeakRssMiB: maxWorkerRss,
      totalPeakRssMiB: maxTotalRss,
    };
  } finally {
    clearInterval(watch);
    server.kill('SIGTERM');
    await server.exited;
  }
}

/**
 * Waits until everything is computed: pages answer before the rules are evaluated for all keys, and the timed requests
 * must have the machine to themselves.
 */
async function untilPrepared(origin: string): Promise<void> {
  for (let quiet = 0; quiet < 3; await sleep(500)) {
    const response = await fetch(`${origin}/api/snapshots/${ID}/reports/types`);
    const { preparing } = (await response.json()) as { preparing?: unknown };
    quiet = preparing === undefined ? quiet + 1 : 0;
  }
}

async function ofNodes(ask: Ask) {
  const depths = await nodesByDepth(ask, Number(values.nodes));
  say(`nodes per depth: ${depths.map((d) => d.length).join(', ')}`);
  return measureRoutes(ask, depths);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Refused && error.body.error?.code === 'too_large';
}

/** Measures a keyspace in a separate process, so that the memory of one does not count for the next. */
function measureSpace(name: string): { space: string; missed: string[] } {
  const asked = ['--space', name, '--json', '--data', `${data}-${name}`];
  const child = spawnSync(process.execPath, ['--import', 'tsx', import.meta.filename, ...asked], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const last = child.stdout.trim().split('\n').at(-1) ?? '';
  if (!last.startsWith('{')) throw new Error(`${name}: ${child.stderr}`);
  say(`${name}: ${last}`);
  return JSON.parse(last);
}

/** Bytes per key of the sealed files, whether this run or an earlier one made them. */
async function bytesPerKey(): Promise<number | null> {
  const { fileBytes, keys: sealed } = await readManifest(dir);
  return fileBytes === null ? null : fileBytes / sealed;
}

/** Peak memory of the server process, MiB; null if the system does not report it. */
function peakRssMiB(): number | null {
  return readStatus(server.programs().web, 'VmHWM');
}

/** Returns a field of /proc/<pid>/status in MiB. */
function readStatus(pid: number, field: 'VmHWM' | 'VmRSS'): number | null {
  try {
    const kib = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? null : Math.round(Number(kib) / 1024);
  } catch {
    return null;
  }
}
