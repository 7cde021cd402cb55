import { percentile } from '../figures/percentile';
import { type Activity, findRuns, repeatedSteps, workedByTwo } from './activity';
import { claimDelays, heldByTwo, heldTimes, type Kill, type Restart, restartWaits, takeovers } from './fleet-figures';
import { type FleetWeb, type PageTime, SERVER_PLACES } from './fleet-web';
import type { LeaseEvent, LoggedJob } from './lease-log';
import { makeTimeline, type TimeSlice } from './timeline';

export interface FleetOptions {
  /** true: one process on SQLite with all slots, killed as the workers are, and one web server that runs scans too. */
  embedded: boolean;
  /** true: all servers are scanned from the beginning; otherwise the starts of scans are spread over the time. */
  together: boolean;
  minutes: number;
  workers: number;
  /** COLONNADE_JOBS of each worker. */
  places: number;
  /** Number of short jobs, spread over the time. */
  jobs: number;
  scans: number;
  servers: number;
  keysPerServer: number;
  kills: number;
  databaseRestarts: number;
}

/** Figures cover only times without faults; those named `…All` cover all times. */
export interface FleetResult {
  embedded: boolean;
  minutes: number;
  /** How many jobs all processes together run at once. A scan occupies one slot for its whole time. */
  slots: number;
  jobs: number;
  /** Number of jobs that did not succeed, or lack a step. */
  lost: number;
  /** Number of jobs that two processes held at once, by the leases or by the activity files. */
  heldByTwo: number;
  /** Number of steps that exist twice, or were written twice. */
  repeatedEffects: number;
  /** Number of runs of jobs in the activity files. */
  runs: number;
  /** How many of the takeovers were of scans. */
  takeoversOfScans: number;
  /**
   * The longest takeover: on the same host the next process sees that the previous one has died, on another host the
   * lease has to expire.
   */
  takeoverSeconds: number | null;
  takeoverSameHostSeconds: number | null;
  takeoverOtherHostSeconds: number | null;
  takeovers: number;
  /** Longest time from the database answering again until a job is claimed. */
  restartSeconds: number | null;
  claimP95Ms: number | null;
  claimAllP95Ms: number | null;
  eventDelayP95Ms: number | null;
  eventsMissed: number;
  pageP95Ms: number | null;
  /** Figures of each page, all instances together. */
  pageP95MsOf: Record<string, number | null>;
  /** Figure of pages that were requested while a scan was running. */
  pageP95MsBesideScans: number | null;
  pages: number;
  pagesBesideScans: number;
  /** Number of failed page requests at times without faults; `failures` lists them. */
  pageFailures: number;
  /** Peak memory of the process that used most, without the processes that it starts for sealing. */
  webPeakRssMiB: number;
  workerPeakRssMiB: number;
  kills: number;
  databaseRestarts: number;
  states: Record<string, number>;
  failures: Record<string, number>;
  /** One entry for each ten seconds, with its faults. */
  timeline: TimeSlice[];
}

/** Everything that was observed during a run. */
interface FleetRun {
  options: FleetOptions;
  began: number;
  minutes: number;
  wanted: readonly string[];
  events: readonly LeaseEvent[];
  jobs: readonly LoggedJob[];
  activity: readonly Activity[];
  /** When `activity` was read, by its clock. */
  activityUntilMs: number;
  /** `<job> <step>` of each repeated effect. */
  repeatedEffects: readonly string[];
  kills: readonly Kill[];
  restarts: readonly Restart[];
  webs: readonly FleetWeb[];
  isQuiet: (atMs: number) => boolean;
  stepsOfShort: number;
  memory: Pick<FleetResult, 'webPeakRssMiB' | 'workerPeakRssMiB'>;
}

export function makeResult({ options, events, kills, restarts, webs, isQuiet, wanted, ...run }: FleetRun): FleetResult {
  const known = new Set(wanted);
  const jobs = run.jobs.filter(({ id }) => known.has(id));
  const states: Record<string, number> = {};
  for (const { state } of jobs) states[state] = (states[state] ?? 0) + 1;
  const waited = takeovers(events, kills);
  const waitedFor = (isElsewhere: boolean) =>
    takeovers(
      events,
      kills.filter((kill) => kill.isElsewhere === isElsewhere),
    );
  const livedUntilMs = (pid: number) => kills.find((kill) => kill.pid === pid)?.livedUntilMs ?? run.activityUntilMs;
  const failures = mergedCounts(webs.map((web) => web.failures));
  const pages = webs.flatMap((web) => web.pages);
  const restarted = restartWaits(events, restarts);
  const scans = new Set(jobs.filter(({ kind }) => kind === 'scan').map(({ id }) => id));
  const scanning = heldTimes(events, scans);
  const besideScans = pages.filter(({ atMs }) => scanning.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs));
  const ofScans = events.filter(({ job }) => scans.has(job));
  // If the database died during a commit whose answer was lost, the job may exist without its creator knowing: it
  // counts too.
  const short = jobs.filter(({ kind }) => kind === 'short');
  const p95 = (list: readonly number[]) => round(percentile(list, 0.95));
  const quiet = events
    .filter(({ state, atMs }) => state === 'succeeded' && isQuiet(atMs))
    .map(({ job, atMs }) => ({ atMs, at: webs.map((web) => web.heard.get(`${job} succeeded`)) }));
  return {
    embedded: options.embedded,
    minutes: round(run.minutes)!,
    slots: options.workers * options.places + (options.embedded ? SERVER_PLACES : 0),
    jobs: jobs.length,
    lost:
      wanted.length -
      jobs.length +
      jobs.filter(({ state }) => state !== 'succeeded').length +
      short.filter(({ state, steps }) => state === 'succeeded' && steps !== run.stepsOfShort).length,
    heldByTwo: new Set([...heldByTwo(events), ...workedByTwo(run.activity, livedUntilMs)]).size,
    repeatedEffects: new Set([...run.repeatedEffects, ...repeatedSteps(run.activity)]).size,
    runs: findRuns(run.activity, livedUntilMs).length,
    takeoverSeconds: longest(waited),
    takeoverSameHostSeconds: longest(waitedFor(false)),
    takeoverOtherHostSeconds: longest(waitedFor(true)),
    takeovers: waited.length,
    takeoversOfScans: takeovers(ofScans, kills).length,
    restartSeconds: longest(restarted),
    claimP95Ms: p95(claimDelays(events, short, isQuiet)),
    claimAllP95Ms: p95(claimDelays(events, short, () => true)),
    eventDelayP95Ms: p95(quiet.flatMap(({ atMs, at }) => at.flatMap((ms) => (ms === undefined ? [] : [ms - atMs])))),
    eventsMissed: quiet.filter(({ at }) => at.includes(undefined)).length,
    pageP95Ms: p95(pages.map(({ ms }) => ms)),
    pageP95MsOf: Object.fromEntries([...msByPage(pages)].map(([page, ms]) => [page, p95(ms)])),
    pageP95MsBesideScans: p95(besideScans.map(({ ms }) => ms)),
    pages: pages.length,
    pagesBesideScans: besideScans.length,
    pageFailures: Object.values(failures).reduce((sum, count) => sum + count, 0),
    ...run.memory,
    kills: kills.length,
    databaseRestarts: restarts.length,
    states,
    failures,
    timeline: makeTimeline({ events, jobs: short, pages }, { fromMs: run.began, everyMs: 10_000 }),
  };
}

const longest = (seconds: readonly number[]) => round(seconds.length === 0 ? null : Math.max(...seconds));

function msByPage(pages: readonly PageTime[]): Map<string, number[]> {
  const times = new Map<string, number[]>();
  for (const { path, ms } of pages) {
    const page = path.replace(/^\/instances\/.+/, '/instances/:id');
    times.set(page, [...(times.get(page) ?? []), ms]);
  }
  return times;
}

function mergedCounts(all: readonly ReadonlyMap<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all) for (const [name, count] of counts) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

const round = (number: number | null) => (number === null ? null : Math.round(number * 10) / 10);
