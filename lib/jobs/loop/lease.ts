import type { LeaseHolder, StoredJob } from '@/lib/store/jobs';
import { isDead } from './owner';

export interface RunTiming {
  tickMs: number;
  leaseMs: number;
  /** Folders that keep the high-water mark too. */
  marks: readonly string[];
}

export const LEASE_MS = 30_000;

export const freed = (fence: number): StoredJob['lease'] => ({ owner: null, fence, until: 0 });

/** It still is this holder's to write under. */
export const isHeldBy = (lease: StoredJob['lease'], { owner, fence }: LeaseHolder): boolean =>
  lease.owner !== null && lease.owner === owner && lease.fence === fence;

/** Nobody holds it any more: never taken, run out by the clock of the store, or its holder is certainly dead. */
export function isFree(lease: StoredJob['lease'], now: number): boolean {
  return lease.owner === null || lease.until < now || isDead(lease.owner);
}

/** The lease went to somebody else; whatever this run still does must not be written. */
export class LeaseLost extends Error {
  constructor() {
    super('The lease of this job went to another runner.');
    this.name = 'LeaseLost';
  }
}
