import { AppError } from '@/lib/model/errors';
import type { Job, Speed, WaitReason } from '@/lib/model/job';
import type { JobState } from '@/lib/model/job-states';
import { log } from '@/lib/runtime/log';
import {
  getStoredJob,
  type JobPatch,
  type LeaseHolder,
  readStoreNow,
  type StoredJob,
  updateJobFenced,
} from '@/lib/store/jobs';
import { runRowTransaction, runTransaction, type Tx } from '@/lib/store/open-store';
import { finishJob, type RunEnd, STORE_UNAVAILABLE_CODES } from './finish-job';
import { raiseMark } from './high-water-mark';
import { JobBlocked, type JobContext, type JobKind } from './job-kind';
import type { JobPlace } from './job-places';
import { isLeaseHeldBy, LeaseLost, LeaseTimer, type RunTiming } from './lease';

/**
 * A job that has waited this long, in ms, gives its place to other jobs. A short failure of the network or a slow
 * moment of a server is over by then, and a job that gave its place away each time would hardly work.
 */
const KEEP_PLACE_MS = 10_000;
/** Exceptions by reason. A wait for another job is long, so the place is given away at once. */
const KEEP_PLACE_MS_BY_REASON: Partial<Record<WaitReason['code'], number>> = { node_busy: 0 };

/**
 * One run of one job, between claim and end. Everything it writes carries the fence of its lease. A run that was taken
 * over (process suspended, clock jumped) therefore writes nothing more, and its signal aborts. Requests of a person
 * (pause, cancel, speed) arrive with the answers to its own writes, at the latest with the next tick.
 */
export class JobRun {
  readonly job: Job;
  readonly #stored: StoredJob;
  readonly #holder: LeaseHolder;
  readonly #timing: RunTiming;
  readonly #abort = new AbortController();
  readonly #stopped: Promise<void>;
  #resolveStopped: () => void = () => {};
  /** The stop that a person has requested. */
  #requestedStop: 'pause' | 'cancel' | null = null;
  /** Whether the process ends. */
  #isShuttingDown = false;
  #speed: Speed;
  readonly #lease: LeaseTimer;
  /** Progress and cost that were reported and are not in the store yet. */
  #unwrittenReport: JobPatch = {};
  /** Why the job waits; null: it works. */
  #reason: WaitReason | null = null;
  /** Resolves when the last of the fenced writes that were requested has ended. */
  #lastFencedWrite: Promise<unknown> = Promise.resolve();

  constructor(
    stored: StoredJob,
    private readonly kind: JobKind,
    timing: RunTiming,
    private readonly place: JobPlace,
  ) {
    this.job = stored.job;
    this.#stored = stored;
    this.#timing = timing;
    this.#holder = stored.lease;
    this.#lease = new LeaseTimer(Date.now() + timing.leaseMs, () => this.#abort.abort(new LeaseLost()));
    this.#speed = stored.job.speed;
    this.#stopped = new Promise((resolve) => {
      this.#resolveStopped = resolve;
    });
    void this.#stopped.then(() => place.stopWaiting());
    this.#abort.signal.addEventListener('abort', () => place.stopWaiting(), { once: true });
  }

  /**
   * Runs the job. Resolves when its end is written and the high-water mark is raised, or when the lease is lost. Never
   * rejects. `release` is called when the end is written, so that the next job does not wait for the mark.
   */
  async run(release: () => void = () => {}): Promise<void> {
    this.#lease.start();
    const ticker = this.#startTicker();
    await this.#raiseMarkIfDestructive();
    const end = await this.#execute();
    await ticker.stop();
    this.#lease.stop();
    if (this.#isLost) return log().warn({ job: this.job.id }, 'job.lease_lost');
    await this.#writeEnd(end);
    release();
    await this.#raiseMarkIfDestructive();
  }

  requestShutdown(): void {
    this.#isShuttingDown = true;
    this.#resolveStopped();
  }

  /**
   * Called when the process ends now: the work is aborted and the lease released, so that the next start continues at
   * once.
   */
  async abandon(): Promise<void> {
    if (this.#isLost) return;
    // The work is aborted first: once the end is written, another process may start while this one still works.
    this.#abort.abort(new LeaseLost());
    await this.#writeEnd({ how: 'interrupted' });
  }

  get #isLost(): boolean {
    return this.#abort.signal.aborted;
  }

  async #execute(): Promise<RunEnd> {
    try {
      const outcome = await this.kind.run(this.#buildContext());
      if (outcome === 'done') return { how: 'done' };
      return { how: this.#isShuttingDown ? 'interrupted' : 'stopped' };
    } catch (error) {
      if (error instanceof JobBlocked) return { how: 'blocked', reason: error.reason };
      // The job itself has no fault: it continues from its checkpoint when the store can be written, as after a crash.
      if (error instanceof AppError && STORE_UNAVAILABLE_CODES.has(error.code)) return { how: 'interrupted' };
      // The ending process interrupted the work; the job itself has no fault.
      if (this.#isShuttingDown && !(error instanceof AppError)) return { how: 'interrupted' };
      if (!(error instanceof AppError) && !this.#isLost)
        log().error({ job: this.job.id, kind: this.job.kind, err: error }, 'job.failed');
      return { how: 'failed', error };
    }
  }

  #buildContext(): JobContext<unknown, unknown> {
    return {
      job: this.job,
      params: this.#stored.params,
      checkpoint: this.#stored.checkpoint,
      signal: this.#abort.signal,
      getStopRequest: () => this.#requestedStop ?? (this.#isShuttingDown ? 'shutdown' : null),
      whenStopRequested: this.#stopped,
      regainPlace: () => this.place.regain(),
      getSpeed: () => this.#speed,
      saveCheckpoint: (checkpoint) => this.#write({ checkpoint }),
      writeFenced: (act) => this.#writeFencedInTurn(act),
      writeFencedLocked: (act) => this.#writeFenced(act, runTransaction),
      assertNotTakenOver: () => this.#write({}),
      setSnapshot: (snapshotId) => this.#write({ snapshotId }),
      report: ({ progress, cost, reason }) => {
        if (progress !== undefined) this.#unwrittenReport.progress = progress;
        if (cost !== undefined) this.#unwrittenReport.cost = cost;
        if (reason !== undefined) this.#noteReason(reason);
      },
    };
  }

  #noteReason(reason: WaitReason | null): void {
    this.#reason = reason;
    if (reason === null) return;
    if (Date.now() - reason.since >= (KEEP_PLACE_MS_BY_REASON[reason.code] ?? KEEP_PLACE_MS)) this.place.release();
  }

  /** Returns why the job makes no progress: what it reported, or that it could go on and waits for a place. */
  #findReason(): WaitReason | null {
    const { wait } = this.place;
    return wait ? { code: 'no_place', params: { places: wait.places }, since: wait.since } : this.#reason;
  }

  /** Writes the patch and what was reported, renews the lease, and reads what a person requested. */
  async #write(patch: JobPatch): Promise<void> {
    if (this.#isLost) throw new LeaseLost();
    const reported = this.#unwrittenReport;
    this.#unwrittenReport = {};
    const until = Date.now() + this.#timing.leaseMs;
    try {
      const updated = await runRowTransaction(async (tx) => {
        const stored = await getStoredJob(this.job.id, tx);
        if (!stored || !isLeaseHeldBy(stored.lease, this.#holder)) return null;
        const state = this.#chooseState(stored.job.state);
        const reason = state === 'running' || state === 'waiting' ? { reason: this.#findReason() } : {};
        // The lease in the store uses the clock of the store, which other processes compare with. This process uses its
        // own clock for itself.
        const lease = { ...stored.lease, until: (await readStoreNow(tx)) + this.#timing.leaseMs };
        return updateJobFenced(this.job.id, this.#holder, { ...reported, ...reason, ...patch, state, lease }, tx);
      });
      if (!updated) return this.#lose();
      this.#lease.start(until);
      this.#applyRequests(updated);
    } catch (error) {
      // Newer reports replace those that could not be written.
      this.#unwrittenReport = { ...reported, ...this.#unwrittenReport };
      throw error;
    }
  }

  /**
   * Runs fenced writes one after the other. All lock the same row, so one connection waits for it and not one per node.
   */
  #writeFencedInTurn<T>(act: (tx: Tx) => Promise<T>): Promise<T> {
    const write = this.#lastFencedWrite.then(() => this.#writeFenced(act, runRowTransaction));
    this.#lastFencedWrite = write.catch(() => {});
    return write;
  }

  async #writeFenced<T>(
    act: (tx: Tx) => Promise<T>,
    openTransaction: <R>(act: (tx: Tx) => Promise<R>) => Promise<R>,
  ): Promise<T> {
    if (this.#isLost) throw new LeaseLost();
    return openTransaction(async (tx) => {
      const stored = await getStoredJob(this.job.id, tx);
      if (!stored || !isLeaseHeldBy(stored.lease, this.#holder)) return this.#lose();
      return act(tx);
    });
  }

  /** A job with a reason to wait becomes `waiting`; a state that a person requested stays as it is. */
  #chooseState(state: JobState): JobState {
    if (state !== 'running' && state !== 'waiting') return state;
    return this.#findReason() ? 'waiting' : 'running';
  }

  #applyRequests({ state, speed }: { state: JobState; speed: Speed }): void {
    this.#speed = speed;
    if (state === 'pausing') this.#requestedStop = 'pause';
    if (state === 'cancelling') this.#requestedStop = 'cancel';
    if (this.#requestedStop) this.#resolveStopped();
  }

  #lose(): never {
    const lost = new LeaseLost();
    this.#abort.abort(lost);
    throw lost;
  }

  #startTicker(): { stop(): Promise<void> } {
    let timer: NodeJS.Timeout | undefined;
    let hasEnded = false;
    let tick: Promise<void> = Promise.resolve();
    const scheduleTick = () => {
      if (hasEnded || this.#isLost) return;
      timer = setTimeout(() => {
        tick = this.#write({})
          .then(() => this.#raiseMarkIfDestructive())
          .catch((error) => {
            if (error instanceof LeaseLost) return;
            log().warn({ job: this.job.id, err: error }, 'job.progress_failed');
            // The lease was not renewed for its whole length, so another runner may have started.
            if (this.#lease.isExpired) this.#abort.abort(new LeaseLost());
          })
          .finally(scheduleTick);
      }, this.#timing.tickMs);
    };
    scheduleTick();
    return {
      stop() {
        hasEnded = true;
        clearTimeout(timer);
        return tick;
      },
    };
  }

  /** Raises the high-water mark for destructive kinds, so that an older copy of the store can be recognised. */
  async #raiseMarkIfDestructive(): Promise<void> {
    if (!this.kind.isDestructive) return;
    await raiseMark(this.#timing.markFolders).catch((error) =>
      log().warn({ job: this.job.id, err: error }, 'job.mark_failed'),
    );
  }

  /**
   * Writes the end of the run, with retries, because a full disk or a busy database may pass. If the store is away, it
   * retries as long as the lease is valid. If that fails, the lease expires and the job is taken over later. The waits
   * are short and hardly grow, because the time is limited by the lease.
   */
  async #writeEnd(end: RunEnd): Promise<void> {
    const dropsCheckpoint = end.how === 'done' && !this.kind.keepsCheckpoint;
    for (let attempt = 1; ; attempt++) {
      try {
        const patch = dropsCheckpoint ? { ...this.#unwrittenReport, checkpoint: null } : this.#unwrittenReport;
        await finishJob(this.job.id, this.#holder, end, patch);
        return;
      } catch (error) {
        if (error instanceof LeaseLost) return;
        log().error({ job: this.job.id, attempt, err: error }, 'job.end_failed');
        const isStoreAway =
          error instanceof AppError && STORE_UNAVAILABLE_CODES.has(error.code) && !this.#isShuttingDown;
        if (isStoreAway ? this.#lease.isExpired : attempt >= 3) return;
        await new Promise((resolve) => setTimeout(resolve, Math.min(1000, 250 * attempt)));
      }
    }
  }
}
