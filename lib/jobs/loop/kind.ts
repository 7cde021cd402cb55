import type { Cost, Job, Progress, Speed, WaitReason } from '@/lib/model/job';
import type { StoredJob } from '@/lib/store/jobs';
import type { Tx } from '@/lib/store/open-store';

/** What a job kind gets from the loop. Knows nothing of Redis; the loop knows nothing of scans. */
export interface JobContext<Params, Checkpoint> {
  readonly job: Job;
  readonly params: Params;
  /** What was last saved; null on the first run. */
  readonly checkpoint: Checkpoint | null;
  /** Aborts when the lease is lost or the process must leave at once. */
  readonly signal: AbortSignal;
  /** Asked at safe points. null = go on. `shutdown` leaves the job resumable by the next process. */
  stopRequested(): 'pause' | 'cancel' | 'shutdown' | null;
  /** Resolves when a stop is requested; lets a sleeping kind wake up. */
  readonly stopped: Promise<void>;
  /**
   * Waits by `wait` without holding up others: another job works in its place meanwhile. Returns once there is a place
   * again, or a stop is requested.
   */
  withoutPlace(wait: () => Promise<void>): Promise<void>;
  speed(): Speed;
  /** Written at once, fenced by the lease. */
  saveCheckpoint(checkpoint: Checkpoint): Promise<void>;
  /**
   * A write of the kind's own tables in one transaction, only while the lease is ours; LeaseLost otherwise. It waits
   * for nobody who writes something else.
   */
  fenced<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The same, alone among all that verbs and other jobs write this way: for what audits, writes what verbs decide by,
   * or is decided by what other jobs hold.
   */
  fencedAlone<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  /** Asks whether the lease is still ours, and renews it; LeaseLost otherwise. */
  assertHeld(): Promise<void>;
  setSnapshot(snapshotId: string): Promise<void>;
  /** Kept in memory and written by the ticker about once a second, fenced. */
  report(update: { progress?: Progress; cost?: Cost; reason?: WaitReason | null }): void;
}

export interface JobKind<Params = unknown, Checkpoint = unknown> {
  readonly kind: string;
  /** It takes away what a store that is older than the work would take away again: see `parkRestoredJobs`. */
  readonly destructive?: boolean;
  /** Whether a job that was given this takes something away from a server: to resume it asks for what its start did. */
  takesAway?(params: Params): boolean;
  /** What it found stays readable in its checkpoint; of other kinds it goes with their success. */
  readonly keepsCheckpoint?: boolean;
  /**
   * 'done' = succeeded. 'stopped' = answered a stop request at a safe point with its checkpoint saved.
   * Throwing an AppError fails the job with that error. A JobBlocked error parks it as `paused` with the reason.
   */
  run(context: JobContext<Params, Checkpoint>): Promise<'done' | 'stopped'>;
  /**
   * Whether anything beside the store shows that this job went further than the store knows. Asked before a first run.
   */
  isAhead?(stored: StoredJob): Promise<boolean>;
  /**
   * Where the work stands, where no checkpoint says it: another text when it has come further. Asked when the job is
   * taken over from a process that has ended.
   */
  standing?(stored: StoredJob): Promise<string>;
  /**
   * After cancel or failure: remove what must not stay. 'kept' = the checkpoint is still good, and a failed job that
   * is resumed goes on from it. Called again after a crash, so doing it twice must be as good as once.
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
