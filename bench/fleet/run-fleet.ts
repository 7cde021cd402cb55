import { join } from 'node:path';
import { registerInstance } from '@/lib/instances/register-instance';
import { queueJob } from '@/lib/jobs/create-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { startScan } from '@/lib/scans/start-scan';
import { getStoredJob } from '@/lib/store/jobs';
import { closeStore, getStoreFile, runTransaction } from '@/lib/store/open-store';
import { bundle } from '../../scripts/bundle.mjs';
import { asHost } from '../../test/servers/as-host';
import { TestPostgres } from '../../test/servers/postgres';
import { type Child, removeFolder, sleep, startChild, temporaryFolder, until } from '../../test/servers/process';
import { startRedis } from '../../test/servers/redis';
import { seedMixed } from '../../test/servers/seed';
import { readRssPeak } from '../figures/peak-rss';
import { monotonicMs, readActivity } from './activity';
import type { Kill, Restart } from './fleet-figures';
import { type FleetOptions, type FleetResult, makeResult } from './fleet-result';
import { FleetWeb } from './fleet-web';
import { LeaseLog } from './lease-log';

const SHORT = { steps: 4, stepMs: 50 };
/** For so long after a fault nothing is counted, because it may only have waited for the fault to end. */
const AFTER_KILL_MS = 3000;
const AFTER_RESTART_MS = 12_000;
/** Time in which the last events still reach the clients. */
const LAST_EVENTS_MS = 2000;
/** Time after the creation of the last job: enough for a lease to expire and its job to be finished. */
const GRACE_MS = 150_000;
const ROOT = join(import.meta.dirname, '../..');
const FILE = join(ROOT, 'node_modules/.cache/colonnade-bench/fleet-worker.mjs');

/**
 * Runs worker processes and two web servers on one PostgreSQL and one folder. Jobs are created all the time, workers
 * and the database are killed, triggers of the database record who held which job, and workers record what they do.
 * Half of the workers pretend to run on other machines, a new one at each start, so that their jobs are taken over
 * after the lease has expired. Embedded: one process on SQLite that is killed, and a server whose pages are requested;
 * another process creates the jobs, as the command line does.
 */
export async function runFleet(options: FleetOptions): Promise<FleetResult> {
  await bundle('bench/fleet/fleet-worker.ts', FILE);
  const folder = temporaryFolder('colonnade-fleet-');
  const database = options.embedded ? null : await TestPostgres.start();
  process.env.COLONNADE_DATA = folder;
  const url = database && `${database.url}?schema=fleet`;
  if (url) Object.assign(process.env, { COLONNADE_DATABASE_URL: url, COLONNADE_ROLE: 'web' });
  const servers = await Promise.all(Array.from({ length: options.servers }, () => startRedis()));
  const workers: Child[] = [];
  const webs: FleetWeb[] = [];
  const settings = [`COLONNADE_ROLE=${options.embedded ? 'all' : 'worker'}`, `COLONNADE_JOBS=${options.places}`];
  const notes = temporaryFolder('colonnade-fleet-activity-');
  const isElsewhere = (at: number) => at >= Math.ceil(options.workers / 2);
  let starts = 0;
  const startWorker = (at: number) => {
    const place = isElsewhere(at) ? asHost(`elsewhere-${++starts}`) : [];
    const run = [process.execPath, ...place, '--enable-source-maps', FILE, notes];
    return startChild('/usr/bin/env', [...settings, ...run], ROOT);
  };
  try {
    for (const server of servers) await seedMixed(server.client(), options.keysPerServer);
    for (let i = 0; i < (url ? 2 : 1); i++) webs.push(await FleetWeb.open(folder, url));
    const instances: string[] = [];
    for (const [i, { host, port }] of servers.entries()) {
      const input = { name: `redis ${i}`, topology: 'standalone', endpoints: [{ host, port }] };
      instances.push((await registerInstance(LOCAL_ADMIN, InstanceInput.parse(input))).id);
    }
    const leases = await (database ? LeaseLog.onPostgres(database.url, 'fleet') : LeaseLog.onSqlite(getStoreFile()));
    for (let i = 0; i < options.workers; i++) workers.push(startWorker(i));
    // Jobs created before the workers are ready would only measure their start.
    for (const worker of workers)
      await until('a worker', async () => worker.output().includes('ready'), 60_000).catch((error) => {
        throw new Error(`${error.message}\n${worker.output()}`);
      });

    const began = Date.now();
    const lengthMs = options.minutes * 60_000;
    const workerPeaks: (number | null)[] = [];
    const faults: { fromMs: number; toMs: number }[] = [];
    const isQuiet = (atMs: number) => faults.every(({ fromMs, toMs }) => atMs < fromMs - 1000 || atMs > toMs);
    const wanted: string[] = [];
    const kills: Kill[] = [];
    const restarts: Restart[] = [];
    const paths = ['/', '/jobs', ...instances.slice(0, 3).map((id) => `/instances/${id}`)];
    const readers = webs.flatMap((web) => [web.readPages(paths, isQuiet), web.listen()]);
    const databaseRestarts = database ? options.databaseRestarts : 0;

    await Promise.all([
      spread(options.jobs, lengthMs, began, async () => {
        const job = { kind: 'short', instanceId: null, instanceName: null, speed: 'fast' as const, params: SHORT };
        wanted.push((await again(() => runTransaction((tx) => queueJob(LOCAL_ADMIN, job, tx)))).id);
      }),
      ...instances.map((id, i) => {
        const ofInstance = Array.from({ length: options.scans }, (_, at) => at).filter(
          (at) => at % instances.length === i,
        );
        const times = ofInstance.map((at) => (options.together ? began : began + (at * lengthMs) / options.scans));
        return scanAll(id, times, wanted);
      }),
      spread(options.kills, lengthMs, began + 5000, async () => {
        const at = Math.floor(Math.random() * workers.length);
        const { pid } = workers[at]!;
        workerPeaks.push(readRssPeak(pid));
        const livedUntilMs = monotonicMs();
        workers[at]!.kill('SIGKILL');
        await workers[at]!.exited;
        const atMs = Date.now();
        kills.push({ pid, atMs, isElsewhere: isElsewhere(at), livedUntilMs });
        faults.push({ fromMs: atMs, toMs: atMs + AFTER_KILL_MS });
        workers[at] = startWorker(at);
      }),
      spread(databaseRestarts, lengthMs, began + lengthMs / (databaseRestarts + 1), async () => {
        const killedMs = Date.now();
        const fault = { fromMs: killedMs, toMs: Number.POSITIVE_INFINITY };
        faults.push(fault);
        await database?.kill();
        await sleep(1500);
        await database?.restart();
        restarts.push({ killedMs, backMs: Date.now() });
        fault.toMs = Date.now() + AFTER_RESTART_MS;
      }),
    ]);
    await endOfAll(wanted, leases);
    const minutes = (Date.now() - began) / 60_000;
    await sleep(LAST_EVENTS_MS);
    const memory = {
      webPeakRssMiB: findHighest(webs.map(({ pid }) => readRssPeak(pid))),
      workerPeakRssMiB: findHighest([...workerPeaks, ...workers.map(({ pid }) => readRssPeak(pid))]),
    };
    for (const web of webs) await web.stop();
    await Promise.all(readers);
    const noted = { activity: readActivity(notes), activityUntilMs: monotonicMs() };
    const [events, jobs, repeatedEffects] = [
      await leases.events(),
      await leases.jobs(),
      await leases.repeatedEffects(),
    ];
    const seen = { options, began, minutes, wanted, events, jobs, repeatedEffects, kills, restarts, webs, isQuiet };
    return makeResult({ ...seen, ...noted, memory, stepsOfShort: SHORT.steps });
  } finally {
    for (const web of webs) await web.stop();
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map(({ exited }) => exited));
    await closeStore().catch(() => {});
    await Promise.all(servers.map((server) => server.stop()));
    await database?.stop();
    for (const one of [folder, notes]) removeFolder(one);
  }
}

const findHighest = (figures: readonly (number | null)[]) => Math.max(0, ...figures.map((figure) => figure ?? 0));

/** Calls `act` so many times, spread evenly over the remaining time. */
async function spread(times: number, lengthMs: number, fromMs: number, act: () => Promise<void>): Promise<void> {
  for (let i = 0; i < times; i++) {
    await sleep(Math.max(0, fromMs + (i * lengthMs) / times - Date.now()));
    await act();
  }
}

/** Retries `act`, because the database may be unavailable at this moment, or locked by another process. */
async function again<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof AppError) || !/^database_unreachable$|^data_locked$/.test(error.code)) throw error;
      await sleep(200);
    }
  }
}

/** Starts a scan at each of these times, or when the previous one has ended: an instance has one scan at a time. */
async function scanAll(instanceId: string, times: readonly number[], wanted: string[]): Promise<void> {
  for (const atMs of times) {
    await sleep(Math.max(0, atMs - Date.now()));
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
