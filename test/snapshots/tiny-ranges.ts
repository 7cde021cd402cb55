import type { SealLimits } from '@/lib/snapshots/seal/seal-limits';

/** A few thousand keys become several runs and ranges, two at work at a time. */
export const TINY: Partial<SealLimits> = { runRows: 900, rangeRows: 400, atOnce: 2 };
