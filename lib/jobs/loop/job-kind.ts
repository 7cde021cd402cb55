import type { Cost, Job, Progress, Speed, WaitReason } from '@/lib/model/job';
import type { StoredJob } from '@/lib/store/jobs';
import type { Tx } from '@/lib/store/open-store';

/**
 * The functions that a job kind gets from the loop. It contains nothing about Redis, and the loop contains nothing
 * about scans.
 */
export interface JobContext<Params, Checkpoint> {
  readonly job: Job;
  readonly params: Params;
  /** The checkpoint that was saved last; null in the first run. */
  readonly checkpoint: Checkpoint | null;
  /** Aborts when the lease is lost or the process must end at once. */
  readonly signal: AbortSignal;
  /**
   * Called at safe points. null: continue. After `shutdown` the next process continues the job from its checkpoint.
   */
  getStopRequest(): 'pause' | 'cancel' | 'shutdown' | null;
  /** Resolves when a stop is requested; lets a sleeping kind wake up. */
  readonly whenStopRequested: Promise<void>;
  /**
   * Called before work that follows a wait: a job that has reported a reason for some seconds has given its place to
   * another one. Resolves once there is a place again, or a stop is requested. null: the job has its place.
   */
  regainPlace(): Promise<void> | null;
  /** Returns the speed that a person has chosen, which may change while the job runs. */
  getSpeed(): Speed;
  /** Writes the checkpoint at once, fenced by the lease. */
  saveCheckpoint(checkpoint: Checkpoint): Promise<void>;
  /**
   * Writes the kind's own tables in one transaction, only while this run has the lease; throws LeaseLost otherwise. It
   * does not wait for writers of other rows.
   */
  writeFenced<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Like `writeFenced`, under the lock of the store, one at a time with verbs and other jobs that use that lock. For
   * writes with an audit row, writes that verbs decide by, and writes that depend on what other jobs hold.
   */
  writeFencedLocked<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  /** Checks that this run still has the lease, and renews it; throws LeaseLost otherwise. */
  assertNotTakenOver(): Promise<void>;
  /** Records which snapshot the job writes. */
  setSnapshot(snapshotId: string): Promise<void>;
  /** Keeps the update in memory and writes it about once a second, fenced by the lease. */
  report(update: { progress?: Progress; cost?: Cost; reason?: WaitReason | null }): void;
}

export interface JobKind<Params = unknown, Checkpoint = unknown> {
  readonly kind: string;
  /**
   * True if its jobs delete data, which they would do again with a store that is older than their work; see
   * `parkRestoredJobs`.
   */
  readonly isDestructive?: boolean;
  /** True if the checkpoint holds results and is kept after success; checkpoints of other kinds are deleted then. */
  readonly keepsCheckpoint?: boolean;
  /**
   * Runs the job. 'done' = succeeded. 'stopped' = it answered a stop request at a safe point, with its checkpoint
   * saved. An AppError fails the job with that error. A JobBlocked error makes it `paused` with the reason.
   */
  run(context: JobContext<Params, Checkpoint>): Promise<'done' | 'stopped'>;
  /**
   * Whether anything outside the store shows that this job went further than the store records. Called by
   * `parkRestoredJobs`, before the first job is taken over.
   */
  isAhead?(stored: StoredJob): Promise<boolean>;
  /**
   * Describes the progress of the work for kinds whose checkpoint does not; the text changes when there is progress.
   * Called when the job is taken over from a process that has ended.
   */
  describeProgress?(stored: StoredJob): Promise<string>;
  /**
   * Deletes what must not stay after a cancel or a failure. 'kept' = the checkpoint is still valid, and a failed job
   * that is resumed continues from it. It is called again after a crash, so it must be idempotent.
   */
  discard?(job: Job, checkpoint: Checkpoint | null, params: Params): Promise<'removed' | 'kept'>;
}

/** Thrown by a kind that needs a person (critical latency, changed role, full disk). */
export class JobBlocked extends Error {
  readonly reason: Omit<WaitReason, 'since'>;
  constructor(reason: Omit<WaitReason, 'since'>) {
    super(reason.code);
    this.name = 'JobBlocked';
    this.reason = reason;
  }
}
