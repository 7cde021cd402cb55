import { join } from 'node:path';
import { registerInstance } from '@/lib/instances/register-instance';
import { queueJob } from '@/lib/jobs/create-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { startScan } from '@/lib/scans/start-scan';
import { getStoredJob } from '@/lib/store/jobs';
import { closeStore, transaction } from '@/lib/store/open-store';
import { bundle } from '../../scripts/bundle.mjs';
import { TestPostgres } from '../../test/servers/postgres';
import { type Child, removeFolder, sleep, startChild, temporaryFolder } from '../../test/servers/process';
import { startRedis } from '../../test/servers/redis';
import { seedMixed } from '../../test/servers/seed';
import { percentile } from '../soak/rss-slope';
import { claimDelays, heldByTwo, type Kill, takeovers } from './fleet-figures';
import { FleetWeb } from './fleet-web';
import { LeaseLog } from './lease-log';

export interface FleetOptions {
  minutes: number;
  workers: number;
  /** Short ones, spread over the time. */
  jobs: number;
  scans: number;
  servers: number;
  keysPerServer: number;
  kills: number;
  databaseRestarts: number;
}

/** Times outside of the moments of faults; `…All`: of all. */
export interface FleetResult {
  minutes: number;
  jobs: number;
  /** Did not succeed, or lack a step. */
  lost: number;
  heldByTwo: number;
  repeatedEffects: number;
  /** The longest. */
  takeoverSeconds: number | null;
  takeovers: number;
  claimP95Ms: number | null;
  claimAllP95Ms: number | null;
  eventDelayP95Ms: number | null;
  eventsMissed: number;
  pageP95Ms: number | null;
  pages: number;
  kills: number;
  databaseRestarts: number;
  states: Record<string, number>;
  failures: Record<string, number>;
}

const SHORT = { steps: 4, stepMs: 50 };
/** So long after a fault nothing is counted that only waited for its end. */
const AFTER_KILL_MS = 3000;
const AFTER_RESTART_MS = 12_000;
/** After the last job was asked for: a lease runs out, and what it held is done. */
const GRACE_MS = 150_000;
const FILE = join(import.meta.dirname, '../../node_modules/.cache/colonnade-bench/fleet-worker.mjs');

/**
 * Worker processes and two web servers on one PostgreSQL and one folder: jobs are asked for all the time, workers are
 * killed, the database is, and the database's own triggers note who held what.
 */
export async function runFleet(options: FleetOptions): Promise<FleetResult> {
  await bundle('bench/fleet/fleet-worker.ts', FILE);
  const folder = temporaryFolder('colonnade-fleet-');
  const database = await TestPostgres.start();
  const url = `${database.url}?schema=fleet`;
  Object.assign(process.env, { COLONNADE_DATA: folder, COLONNADE_DATABASE_URL: url, COLONNADE_ROLE: 'web' });
  const servers = await Promise.all(Array.from({ length: options.servers }, () => startRedis()));
  const workers: Child[] = [];
  const webs: FleetWeb[] = [];
  const startWorker = () =>
    startChild(process.execPath, ['--enable-source-maps', FILE], join(import.meta.dirname, '../..'));
  try {
    for (const server of servers) await seedMixed(server.client(), options.keysPerServer);
    webs.push(await FleetWeb.open(folder, url), await FleetWeb.open(folder, url));
    const instances: string[] = [];
    for (const [i, { host, port }] of servers.entries()) {
      const input = { name: `redis ${i}`, topology: 'standalone', endpoints: [{ host, port }] };
      instances.push((await registerInstance(LOCAL_ADMIN, InstanceInput.parse(input))).id);
    }
    const leases = await LeaseLog.open(database.url, 'fleet');
    for (let i = 0; i < options.workers; i++) workers.push(startWorker());

    const began = Date.now();
    const lengthMs = options.minutes * 60_000;
    const faults: { fromMs: number; toMs: number }[] = [];
    const isQuiet = (atMs: number) => faults.every(({ fromMs, toMs }) => atMs < fromMs - 1000 || atMs > toMs);
    const wanted: string[] = [];
    const kills: Kill[] = [];
    const paths = ['/', '/jobs', ...instances.slice(0, 3).map((id) => `/instances/${id}`)];
    const readers = webs.flatMap((web) => [web.readPages(paths, isQuiet), web.listen()]);

    await Promise.all([
      spread(options.jobs, lengthMs, began, async () => {
        const job = { kind: 'short', instanceId: null, instanceName: null, speed: 'fast' as const, params: SHORT };
        wanted.push((await again(() => transaction((tx) => queueJob(LOCAL_ADMIN, job, tx)))).id);
      }),
      ...instances.map((id, i) => scanAll(id, share(options.scans, instances.length, i), wanted)),
      spread(options.kills, lengthMs, began + 5000, async () => {
        const at = Math.floor(Math.random() * workers.length);
        const { pid } = workers[at]!;
        workers[at]!.kill('SIGKILL');
        await workers[at]!.exited;
        const atMs = Date.now();
        kills.push({ pid, atMs });
        faults.push({ fromMs: atMs, toMs: atMs + AFTER_KILL_MS });
        workers[at] = startWorker();
      }),
      spread(options.databaseRestarts, lengthMs, began + lengthMs / (options.databaseRestarts + 1), async () => {
        const fault = { fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY };
        faults.push(fault);
        await database.kill();
        await sleep(1500);
        await database.restart();
        fault.toMs = Date.now() + AFTER_RESTART_MS;
      }),
    ]);
    await endOfAll(wanted, leases);
    const minutes = (Date.now() - began) / 60_000;
    for (const web of webs) await web.stop();
    await Promise.all(readers);

    const events = await leases.events();
    const jobs = (await leases.jobs()).filter(({ id }) => wanted.includes(id));
    const states: Record<string, number> = {};
    for (const { state } of jobs) states[state] = (states[state] ?? 0) + 1;
    const waited = takeovers(events, kills);
    // Where a database died with a commit nobody was answered for, a job may be there that nobody knows: it counts too.
    const short = jobs.filter(({ kind }) => kind === 'short');
    const delays = claimDelays(events, short, isQuiet);
    const heard = events
      .filter(({ state }) => state === 'succeeded')
      .map(({ job, atMs }) => ({ atMs, at: webs.map((web) => web.heard.get(`${job} succeeded`)) }));
    const quiet = heard.filter(({ atMs }) => isQuiet(atMs));
    return {
      minutes: round(minutes)!,
      jobs: jobs.length,
      lost:
        wanted.length -
        jobs.length +
        jobs.filter(({ state }) => state !== 'succeeded').length +
        short.filter(({ state, steps }) => state === 'succeeded' && steps !== SHORT.steps).length,
      heldByTwo: heldByTwo(events).length,
      repeatedEffects: await leases.repeatedEffects(),
      takeoverSeconds: round(waited.length === 0 ? null : Math.max(...waited)),
      takeovers: waited.length,
      claimP95Ms: round(percentile(delays, 0.95)),
      claimAllP95Ms: round(
        percentile(
          claimDelays(events, short, () => true),
          0.95,
        ),
      ),
      eventDelayP95Ms: round(
        percentile(
          quiet.flatMap(({ atMs, at }) => at.flatMap((ms) => (ms === undefined ? [] : [ms - atMs]))),
          0.95,
        ),
      ),
      eventsMissed: quiet.filter(({ at }) => at.includes(undefined)).length,
      pageP95Ms: round(
        percentile(
          webs.flatMap(({ pageMs }) => pageMs),
          0.95,
        ),
      ),
      pages: webs.reduce((sum, { pageMs }) => sum + pageMs.length, 0),
      kills: kills.length,
      databaseRestarts: options.databaseRestarts,
      states,
      failures: Object.fromEntries(webs.flatMap(({ failures }) => [...failures])),
    };
  } finally {
    for (const web of webs) await web.stop();
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map(({ exited }) => exited));
    await closeStore().catch(() => {});
    await Promise.all(servers.map((server) => server.stop()));
    await database.stop();
    removeFolder(folder);
  }
}

const round = (number: number | null) => (number === null ? null : Math.round(number * 10) / 10);
const share = (all: number, parts: number, at: number) =>
  Math.floor(((at + 1) * all) / parts) - Math.floor((at * all) / parts);

/** `act` so many times, evenly over what is left of the time. */
async function spread(times: number, lengthMs: number, fromMs: number, act: () => Promise<void>): Promise<void> {
  for (let i = 0; i < times; i++) {
    await sleep(Math.max(0, fromMs + (i * lengthMs) / times - Date.now()));
    await act();
  }
}

/** The database may be away at this moment. */
async function again<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'database_unreachable') throw error;
      await sleep(200);
    }
  }
}

/** One behind the other: an instance has one scan at a time. */
async function scanAll(instanceId: string, times: number, wanted: string[]): Promise<void> {
  for (let i = 0; i < times; i++) {
    const options = ScanOptions.parse({ speed: 'gentle' });
    const { id } = await again(() => startScan(LOCAL_ADMIN, instanceId, options));
    wanted.push(id);
    const ended = async () => /succeeded|failed|cancelled|paused/.test((await getStoredJob(id))?.job.state ?? '');
    while (!(await again(ended))) await sleep(500);
  }
}

async function endOfAll(wanted: readonly string[], leases: LeaseLog): Promise<void> {
  const ids = new Set(wanted);
  for (const end = Date.now() + GRACE_MS; Date.now() < end; await sleep(1000)) {
    const open = (await leases.jobs()).filter(
      ({ id, state }) => ids.has(id) && /queued|running|waiting|pausing/.test(state),
    );
    if (open.length === 0) return;
  }
}
