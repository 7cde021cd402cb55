import { log } from '@/lib/runtime/log';
import { waitFor } from '@/lib/runtime/wait-for';
import type { StoredJob } from '@/lib/store/jobs';
import { claimJobs } from './claim-jobs';
import { createCleanup } from './create-cleanup';
import { recordEngineHeartbeat, recordLoopTurn } from './engine-heartbeat';
import type { JobKind } from './job-kind';
import { JobPlaces } from './job-places';
import { JobRun } from './job-run';
import { LEASE_MS } from './lease';
import { parkRestoredJobs } from './park-restored-jobs';
import { createProcessId } from './process-id';
import type { ClaimLimits } from './rank-jobs';
import { recoverJobs } from './recover-jobs';

/**
 * Options of the loop of a process that runs jobs. The loop takes over jobs of dead runners, claims queued jobs, and
 * runs up to `concurrency` working jobs at the same time; jobs that have waited for some seconds have released their
 * places. It knows kinds only by their names. Several runners may share one store: the lease decides which one runs a
 * job, the fence which one may write.
 */
interface RunnerOptions {
  kinds: JobKind[];
  concurrency: number;
  /** How often the queue is read, in ms. */
  pollMs?: number;
  /** How often the leases of other runners are checked, in ms, because a new job does not announce an expired one. */
  recoverMs?: number;
  /** How often a run renews its lease and reads what a person has requested, in ms. */
  tickMs?: number;
  leaseMs?: number;
  /** Folders besides the data folder with a file of the high-water mark of destructive work. */
  markFolders?: readonly string[];
  /** The holder of its leases; default: a new one. */
  processId?: string;
  /** Limits on the jobs that are taken, if several processes share the store. */
  limits?: ClaimLimits;
  /** Calls `wake` when there may be a job to take; polling every `pollMs` finds those that were not announced. */
  listen?: (wake: () => void) => { stop(): Promise<void> } | null;
  /** How long `stop` waits for jobs to reach a safe point, in ms. */
  stopMs?: number;
}

export interface Runner {
  start(): Promise<void>;
  /**
   * Stops the runner within a limited time: jobs that do not stop in time are aborted. All of them continue at the next
   * start.
   */
  stop(): Promise<void>;
}

/** Jobs per place, at most, including those that wait. */
const RUNS_PER_PLACE = 16;

export function createRunner(options: RunnerOptions): Runner {
  const { concurrency, pollMs = 500, recoverMs = 2000, tickMs = 1000, leaseMs = LEASE_MS, stopMs = 5000 } = options;
  const kinds = new Map(options.kinds.map((kind) => [kind.kind, kind]));
  const { processId = createProcessId() } = options;
  const runs = new Map<string, { run: JobRun; ended: Promise<void> }>();
  /** The ends of all runs, including those that have released their place and still raise their last mark. */
  const unfinishedEnds = new Set<Promise<void>>();
  const places = new JobPlaces(concurrency, () => wake());
  /** How many more jobs can start. Waiting jobs are limited too, because each renews its lease every second. */
  const countStartableJobs = () => Math.min(places.freePlaces, concurrency * RUNS_PER_PLACE - runs.size);
  const { markFolders = [], limits = { labels: [] } } = options;
  const cleanup = createCleanup(kinds, processId, leaseMs);
  let isStoreChecked = false;
  let isStopping = false;
  let loop: Promise<void> | null = null;
  let wake: () => void = () => {};
  let listener: { stop(): Promise<void> } | null = null;
  let wasWoken = false;
  /** When leases are checked next, by performance.now; at once after a claim whose answer may have been lost. */
  let nextRecoveryAt = 0;

  /** Checks the store before any job is taken over or queued. */
  async function checkStoreOnce(): Promise<void> {
    if (!isStoreChecked) await parkRestoredJobs(kinds.values(), markFolders, processId);
    isStoreChecked = true;
  }

  async function runCycle(): Promise<void> {
    await checkStoreOnce();
    if (performance.now() >= nextRecoveryAt) {
      await recoverJobs(kinds, { processId, runningIds: new Set(runs.keys()) });
      nextRecoveryAt = performance.now() + recoverMs;
    }
    cleanup.startCleanup();
    while (!isStopping && countStartableJobs() > 0) if (!(await claimAndStartJobs(countStartableJobs()))) break;
    recordEngineHeartbeat(concurrency - countStartableJobs());
  }

  /** Claims and begins at most `maxJobs` jobs. Returns whether there was one. */
  async function claimAndStartJobs(maxJobs: number): Promise<boolean> {
    places.reserve(maxJobs);
    try {
      const claimed = await claimJobs({
        kinds: [...kinds.keys()],
        processId,
        leaseMs,
        limits: { ...limits, excludedJobs: new Set(runs.keys()) },
        maxJobs,
      });
      for (const job of claimed) startRun(job);
      return claimed.length > 0;
    } finally {
      places.endReservation();
    }
  }

  function startRun(claimed: StoredJob): void {
    const { id } = claimed.job;
    const place = places.take();
    const run = new JobRun(claimed, kinds.get(claimed.job.kind) as JobKind, { tickMs, leaseMs, markFolders }, place);
    const release = () => {
      // The same job may already run here again.
      if (runs.get(id)?.run !== run) return;
      runs.delete(id);
      freePlace();
      wake();
    };
    const freePlace = () => {
      place.stopWaiting();
      place.release();
    };
    const ended = run.run(release).finally(() => {
      release();
      freePlace();
      unfinishedEnds.delete(ended);
    });
    unfinishedEnds.add(ended);
    runs.set(id, { run, ended });
  }

  async function runForever(): Promise<void> {
    let failures = 0;
    while (!isStopping) {
      const wokenEarly = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (wasWoken) wake();
      wasWoken = false;
      try {
        await runCycle();
        failures = 0;
      } catch (error) {
        failures += 1;
        nextRecoveryAt = 0;
        log().error({ err: error }, 'engine.loop_failed');
      }
      recordLoopTurn();
      // A store that cannot be reached is queried less and less often, but at least every 10 s. There is no jitter,
      // because the loops of different processes start at different moments.
      const retryMs = Math.min(pollMs * 2 ** Math.min(failures, 6), Math.max(pollMs, 10_000));
      const untilRecoverMs = Math.max(0, nextRecoveryAt - performance.now());
      await waitFor(failures > 0 ? retryMs : Math.min(pollMs, untilRecoverMs), wokenEarly);
    }
  }

  return {
    async start() {
      // If the store cannot be queried now, the loop tries again, and starts no job before.
      await checkStoreOnce().catch((error) => log().error({ err: error }, 'store.age_unknown'));
      loop ??= runForever();
      listener ??=
        options.listen?.(() => {
          // Without a free place no job can be taken; a run that ends wakes the loop itself.
          if (countStartableJobs() <= 0) return;
          wasWoken = true;
          wake();
        }) ?? null;
    },
    async stop() {
      isStopping = true;
      wake();
      await Promise.all([loop, listener?.stop()]);
      for (const { run } of runs.values()) run.requestShutdown();
      await waitFor(stopMs, Promise.all([cleanup.stop(), ...unfinishedEnds]));
      cleanup.abandon();
      await Promise.all([...runs.values()].map(({ run }) => run.abandon()));
    },
  };
}
