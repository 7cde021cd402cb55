import { log } from '@/lib/log';
import type { StoredJob } from '@/lib/store/jobs';
import { claimJobs, NO_LIMITS } from './claim-job';
import { discardBeside } from './discard-beside';
import { recordEngineHeartbeat, recordLoopTurn } from './engine-heartbeat';
import { JobPlaces } from './job-places';
import { JobRun } from './job-run';
import type { JobKind } from './kind';
import { LEASE_MS } from './lease';
import { newOwner } from './owner';
import { parkRestoredJobs } from './park-restored-jobs';
import type { ClaimLimits } from './rank-jobs';
import { recoverJobs } from './recover-jobs';

/**
 * The loop of a process that runs jobs: takes over what dead runners left, claims queued jobs, runs them side by side
 * up to `concurrency` that work; those that wait for a server have given their places away. It knows kinds only by the
 * names they bring. Several runners may share one store: the lease decides who runs what, the fence who may write.
 */
export interface RunnerOptions {
  kinds: JobKind[];
  concurrency: number;
  pollMs?: number;
  /** So often the leases of others are looked at: a job that comes says nothing of them. */
  recoverMs?: number;
  tickMs?: number;
  leaseMs?: number;
  /** Folders beside the data folder that keep the high-water mark of destructive work too. */
  marks?: readonly string[];
  /** Who holds its leases; a new one unless given. */
  owner?: string;
  /** Where several processes share the store. */
  limits?: ClaimLimits;
  /** Calls back when a job may be there to be taken; `pollMs` is then for what nobody said. */
  listen?: (wake: () => void) => { stop(): Promise<void> } | null;
  /** How long `stop` waits for jobs to reach a safe point. */
  stopMs?: number;
}
export interface Runner {
  start(): Promise<void>;
  /** Bounded: jobs that do not answer in time are cut off. All of them go on by themselves at the next start. */
  stop(): Promise<void>;
}

/** So many jobs for each place, with those that wait. */
const RUNS_PER_PLACE = 16;

/** Resolves after `ms` or when `early` does; leaves no timer behind that would keep the process alive. */
async function waitFor(ms: number, early: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([early, late]);
  clearTimeout(timer);
}

export function createRunner(options: RunnerOptions): Runner {
  const { concurrency, pollMs = 500, recoverMs = 2000, tickMs = 1000, leaseMs = LEASE_MS, stopMs = 5000 } = options;
  const kinds = new Map(options.kinds.map((kind) => [kind.kind, kind]));
  const names = [...kinds.keys()];
  const { owner = newOwner() } = options;
  const runs = new Map<string, { run: JobRun; ended: Promise<void> }>();
  /** Of all runs, those included whose place another one has taken while they raise their last mark. */
  const ends = new Set<Promise<void>>();
  const places = new JobPlaces(concurrency, () => wake());
  /** Each of those that wait renews its lease every second. */
  const room = () => Math.min(places.free, concurrency * RUNS_PER_PLACE - runs.size);
  const { marks = [], limits = NO_LIMITS } = options;
  const discards = discardBeside(kinds, owner, leaseMs);
  let looked = false;
  let stopping = false;
  let loop: Promise<void> | null = null;
  let wake: () => void = () => {};
  let listener: { stop(): Promise<void> } | null = null;
  let woken = false;
  /** By our own clock; at once after a claim that may have been written without an answer. */
  let recoverAt = 0;

  /** Before anything is taken over, and before anybody queues more. */
  async function lookAtStore(): Promise<void> {
    if (!looked) await parkRestoredJobs(kinds.values(), marks, owner);
    looked = true;
  }

  async function cycle(): Promise<void> {
    await lookAtStore();
    if (performance.now() >= recoverAt) {
      await recoverJobs(kinds, { owner, runs: new Set(runs.keys()) });
      recoverAt = performance.now() + recoverMs;
    }
    discards.look();
    while (!stopping && room() > 0) {
      const mine = { ...limits, except: new Set(runs.keys()) };
      const claimed = await claimJobs(names, owner, leaseMs, mine, room());
      if (claimed.length === 0) break;
      for (const one of claimed) begin(one);
    }
    recordEngineHeartbeat(runs.size);
  }

  function begin(claimed: StoredJob): void {
    const { id } = claimed.job;
    const place = places.take();
    const run = new JobRun(claimed, kinds.get(claimed.job.kind) as JobKind, { tickMs, leaseMs, marks }, place);
    const release = () => {
      // The same job may run here again by then.
      if (runs.get(id)?.run !== run) return;
      runs.delete(id);
      place.leave();
      wake();
    };
    const ended = run.run(release).finally(() => {
      release();
      place.leave();
      ends.delete(ended);
    });
    ends.add(ended);
    runs.set(id, { run, ended });
  }

  async function forever(): Promise<void> {
    let failures = 0;
    while (!stopping) {
      const early = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (woken) wake();
      woken = false;
      try {
        await cycle();
        failures = 0;
      } catch (error) {
        failures += 1;
        recoverAt = 0;
        log().error({ err: error }, 'engine.loop_failed');
      }
      recordLoopTurn();
      // A store that cannot be reached is asked less and less often, at most every 10 s. Not spread as other waits are:
      // it is the pace of the loop itself, which processes begin at different moments.
      const next = Math.min(pollMs * 2 ** Math.min(failures, 6), Math.max(pollMs, 10_000));
      await waitFor(failures > 0 ? next : Math.min(next, Math.max(0, recoverAt - performance.now())), early);
    }
  }

  return {
    async start() {
      // A store that cannot be asked now is asked again by the loop, which begins nothing before.
      await lookAtStore().catch((error) => log().error({ err: error }, 'store.age_unknown'));
      loop ??= forever();
      listener ??=
        options.listen?.(() => {
          // Without a place there is nothing to take; a run that ends looks by itself.
          if (room() <= 0) return;
          woken = true;
          wake();
        }) ?? null;
    },
    async stop() {
      stopping = true;
      wake();
      await Promise.all([loop, listener?.stop()]);
      for (const { run } of runs.values()) run.askShutdown();
      await waitFor(stopMs, Promise.all([discards.stop(), ...ends]));
      discards.leave();
      await Promise.all([...runs.values()].map(({ run }) => run.leave()));
    },
  };
}
