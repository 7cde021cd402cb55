import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '@/lib/backoff-ms';
import type { WaitReason } from '@/lib/model/job';

/** The first attempt is soon: a moved slot or a new master is known at once. */
const FIRST_MS = 200;
const LATER = { firstMs: 500, maxMs: 60_000 };
/** A blip of the network is over by then; who waits longer gives its place to other jobs. */
const PLACE_KEPT_MS = 10_000;

export interface RetryBackoffOptions {
  /** Settles when the job is asked to stop: a wait ends with it. */
  stopped: Promise<void>;
  /** Waits without holding up other jobs. */
  withoutPlace(wait: () => Promise<void>): Promise<void>;
  /** How long a server is waited for before a person is asked, ms. */
  retryForMs: number;
  /** What to throw when that time is over. */
  givingUp(reason: Omit<WaitReason, 'since'>): Error;
  /** Shows why the job waits. */
  report(reason: WaitReason): void;
}

/**
 * Waits between attempts, says why, and knows when to ask a person: 200 ms, then 1 s doubling to 60 s, with jitter so
 * that many jobs do not return at once. One per run of a job.
 */
export class RetryBackoff {
  private since: number | null = null;
  private attempts = 0;

  constructor(private readonly options: RetryBackoffOptions) {}

  /** Something was done since the last failure. */
  reset(): void {
    this.since = null;
    this.attempts = 0;
  }

  /** Whether attempts have failed for this long, ms. */
  lasted(ms: number): boolean {
    return this.since !== null && Date.now() - this.since >= ms;
  }

  async wait(reason: Omit<WaitReason, 'since'>): Promise<void> {
    this.since ??= Date.now();
    if (this.lasted(this.options.retryForMs)) throw this.options.givingUp(reason);
    this.options.report({ ...reason, since: this.since });
    const ms = this.attempts === 0 ? FIRST_MS : backoffMs(this.attempts, LATER);
    this.attempts++;
    const wait = async () => {
      const woken = new AbortController();
      await Promise.race([sleep(ms, undefined, { signal: woken.signal }).catch(() => {}), this.options.stopped]);
      woken.abort();
    };
    await (this.lasted(PLACE_KEPT_MS) ? this.options.withoutPlace(wait) : wait());
  }
}
