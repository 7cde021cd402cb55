import type { WaitReason } from '@/lib/model/job';
import { computeBackoffMs } from '@/lib/runtime/backoff-ms';
import { waitFor } from '@/lib/runtime/wait-for';

/** The wait before the first retry, in ms. It is short, because a moved slot or a new master is known at once. */
const FIRST_WAIT_MS = 200;
/** The waits before the further retries, in ms. */
const LATER_WAITS = { firstMs: 500, maxMs: 60_000 };

interface RetryBackoffOptions {
  /** Resolves when the job is asked to stop, which ends a wait. */
  whenStopRequested: Promise<void>;
  /** How long the job waits for a server before a person has to act, in ms. */
  retryForMs: number;
  /** Returns the error to throw when that time is over. */
  createGiveUpError(reason: Omit<WaitReason, 'since'>): Error;
  /** Shows why the job waits. */
  report(reason: WaitReason): void;
}

/**
 * Waits between attempts, reports why, and gives up after `retryForMs`. The waits are 200 ms, then 1 s doubling to 60
 * s, with jitter so that many jobs do not retry at the same moment. There is one per run of a job.
 */
export class RetryBackoff {
  private firstFailureAt: number | null = null;
  private waits = 0;

  constructor(private readonly options: RetryBackoffOptions) {}

  /** Starts the waits from the beginning, because the job made progress since the last failure. */
  reset(): void {
    this.firstFailureAt = null;
    this.waits = 0;
  }

  /** Whether every attempt of the last `ms` milliseconds has failed. */
  hasFailedFor(ms: number): boolean {
    return this.firstFailureAt !== null && Date.now() - this.firstFailureAt >= ms;
  }

  /** Reports the reason and waits before the next attempt. Throws `createGiveUpError` after `retryForMs`. */
  async wait(reason: Omit<WaitReason, 'since'>): Promise<void> {
    this.firstFailureAt ??= Date.now();
    if (this.hasFailedFor(this.options.retryForMs)) throw this.options.createGiveUpError(reason);
    this.options.report({ ...reason, since: this.firstFailureAt });
    const ms = this.waits === 0 ? FIRST_WAIT_MS : computeBackoffMs(this.waits, LATER_WAITS);
    this.waits++;
    await waitFor(ms, this.options.whenStopRequested);
  }
}
