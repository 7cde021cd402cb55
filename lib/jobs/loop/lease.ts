import type { LeaseHolder, StoredJob } from '@/lib/store/jobs';
import { isDead } from './owner';

export interface RunTiming {
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
