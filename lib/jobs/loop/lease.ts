import type { LeaseHolder, StoredJob } from '@/lib/store/jobs';
import { isDead } from './owner';

export interface RunTiming {
  /** How often the lease is renewed and what was reported is written, in ms. */
  tickMs: number;
  leaseMs: number;
  /** More folders with a file of the high-water mark. */
  marks: readonly string[];
}

export const LEASE_MS = 30_000;

export const toFreeLease = (fence: number): StoredJob['lease'] => ({ owner: null, fence, until: 0 });

/** Whether this holder still has the lease and may write under it. */
export const isHeldBy = (lease: StoredJob['lease'], { owner, fence }: LeaseHolder): boolean =>
  lease.owner !== null && lease.owner === owner && lease.fence === fence;

/**
 * Whether the lease is free: it was never taken, has expired by the clock of the store (`now`, epoch ms), or its holder
 * is certainly dead.
 */
export function isFree(lease: StoredJob['lease'], now: number): boolean {
  return lease.owner === null || lease.until < now || isDead(lease.owner);
}

/** Thrown when another runner has the lease; nothing that this run still does may be written. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease of this job went to another runner.');
    this.name = 'LeaseLost';
  }
}

/**
 * Shortest time before `onOver` in ms: the answer to a renewal may take this long on a busy machine, even with a short
 * lease.
 */
const ANSWER_MS = 1000;

/**
 * Watches when a lease expires by the clock of this process. A database that has vanished answers no renewal, and
 * another process may have started by then. `onOver` is called once, unless the lease was renewed or the timer stopped
 * before.
 */
export class LeaseTimer {
  #until: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    until: number,
    private readonly onOver: () => void,
  ) {
    this.#until = until;
  }

  get isOver(): boolean {
    return Date.now() > this.#until;
  }

  /** Starts the timer, or moves its end to `until`, epoch ms. */
  start(until = this.#until): void {
    this.#until = until;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.onOver, Math.max(until - Date.now(), ANSWER_MS));
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
