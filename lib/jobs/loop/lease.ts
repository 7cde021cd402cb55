import type { LeaseHolder, StoredJob } from '@/lib/store/jobs';
import { isProcessDead } from './process-id';

export interface RunTiming {
  /** How often the lease is renewed and what was reported is written, in ms. */
  tickMs: number;
  leaseMs: number;
  /** More folders with a file of the high-water mark. */
  markFolders: readonly string[];
}

export const LEASE_MS = 30_000;

export const toFreeLease = (fence: number): StoredJob['lease'] => ({ holder: null, fence, until: 0 });

/** Whether this holder still has the lease and may write under it. */
export const isLeaseHeldBy = (lease: StoredJob['lease'], { holder, fence }: LeaseHolder): boolean =>
  lease.holder !== null && lease.holder === holder && lease.fence === fence;

/**
 * Whether the lease is free: it was never taken, has expired by the clock of the store (`now`, epoch ms), or its holder
 * is certainly dead.
 */
export function isLeaseFree(lease: StoredJob['lease'], now: number): boolean {
  return lease.holder === null || lease.until < now || isProcessDead(lease.holder);
}

/** Thrown when another runner has the lease; nothing that this run still does may be written. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease of this job went to another runner.');
    this.name = 'LeaseLost';
  }
}

/**
 * Shortest time before `onExpired` in ms: the answer to a renewal may take this long on a busy machine, even with a
 * short lease.
 */
const MIN_TIMER_MS = 1000;

/**
 * Watches when a lease expires by the clock of this process. A database that has vanished answers no renewal, and
 * another process may have started by then. `onExpired` is called once, unless the lease was renewed or the timer
 * stopped before.
 */
export class LeaseTimer {
  #until: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    until: number,
    private readonly onExpired: () => void,
  ) {
    this.#until = until;
  }

  get isExpired(): boolean {
    return Date.now() > this.#until;
  }

  /** Starts the timer, or moves its end to `until`, epoch ms. */
  start(until = this.#until): void {
    this.#until = until;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.onExpired, Math.max(until - Date.now(), MIN_TIMER_MS));
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
