import { setTimeout as sleep } from 'node:timers/promises';
import type { DeletionHooks } from './deletion-hooks';
import type { DeletionMeter } from './deletion-meter';
import { NeedsOperator, type TransientFailure } from './run-errors';

/** Waits between attempts, says why, and knows when to ask a person. 1 s doubling to 60 s, with jitter. */
export class RetryBackoff {
  private since: number | null = null;
  private attempts = 0;

  constructor(
    private readonly hooks: DeletionHooks,
    private readonly meter: DeletionMeter,
  ) {}

  /** Something was done since the last failure. */
  reset(): void {
    this.since = null;
    this.attempts = 0;
  }

  async wait(later: TransientFailure): Promise<void> {
    this.since ??= Date.now();
    if (Date.now() - this.since >= this.hooks.retryForMs) throw new NeedsOperator(later.reason);
    this.meter.waiting = { ...later.reason, since: this.since };
    this.hooks.report({ progress: this.meter.progress(), reason: this.meter.waiting });
    const ms = Math.min(60_000, 1000 * 2 ** Math.min(this.attempts, 6)) * (0.8 + Math.random() * 0.4);
    // The first look is soon: a moved slot or a new master is known at once.
    const wait = this.attempts++ === 0 ? 200 : ms;
    const woken = new AbortController();
    await Promise.race([sleep(wait, undefined, { signal: woken.signal }).catch(() => {}), this.hooks.stopped]);
    woken.abort();
  }
}
