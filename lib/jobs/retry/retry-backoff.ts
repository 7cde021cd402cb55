import type { WaitReason } from '@/lib/model/job';
import { computeBackoffMs } from '@/lib/runtime/backoff-ms';
import { waitFor } from '@/lib/runtime/wait-for';

/** The wait before the first retry, in ms. It is short, because a moved slot or a new master is known at once. */
const FIRST_MS = 200;
/** The waits before the further retries, in ms. */
const LATER = { firstMs: 500, maxMs: 60_000 };

interface RetryBackoffOptions {
  /** Resolves when the job is asked to stop, which ends a wait. */
  stopped: Promise<void>;
  /** How long the job waits for a server before a person has to act, in ms. */
  retryForMs: number;
  /** Returns the error to throw when that time is over. */
  givingUp(reason: Omit<WaitReason, 'since'>): Error;
  /** Shows why the job waits. */
  report(reason: WaitReason): void;
}

/**
 * Waits between attempts, reports why, and gives up after `retryForMs`. The waits are 200 ms, then 1 s doubling to 60
 * s, with jitter so that many jobs do not retry at the same moment. There is one per run of a job.
 */
export class RetryBackoff {
  private since: number | null = null;
  private attempts = 0;

  constructor(private readonly options: RetryBackoffOptions) {}

  /** Starts the waits from the beginning, because the job made progress since the last failure. */
  reset(): void {
    this.since = null;
    this.attempts = 0;
  }

  /** Whether all attempts of the last `ms` milliseconds have failed. */
  lasted(ms: number): boolean {
    return this.since !== null && Date.now() - this.since >= ms;
  }

  async wait(reason: Omit<WaitReason, 'since'>): Promise<void> {
    this.since ??= Date.now();
    if (this.lasted(this.options.retryForMs)) throw this.options.givingUp(reason);
    this.options.report({ ...reason, since: this.since });
    const ms = this.attempts === 0 ? FIRST_MS : computeBackoffMs(this.attempts, LATER);
    this.attempts++;
    await waitFor(ms, this.options.stopped);
  }
}
