import { createHash } from 'node:crypto';
import type { DeletionPlan, ExpireOptions } from '@/lib/model/deletion';
import type { Candidate } from './candidate';

const BUCKETS = 24;

/**
 * Which expiry each key gets: an offset from the moment the work starts, spread evenly over the window by a hash of the
 * name, so that the same plan gives the same key the same moment whoever carries it out.
 */
export class ExpiryPlan {
  private readonly from: number;
  private readonly bucketMs: number;
  private readonly before = new Array<number>(BUCKETS).fill(0);
  private readonly after = new Array<number>(BUCKETS).fill(0);

  constructor(
    private readonly planId: string,
    private readonly options: ExpireOptions,
    now = Date.now(),
  ) {
    this.from = now;
    this.bucketMs = ((options.fromSeconds + options.windowSeconds) * 1000 * 1.05) / BUCKETS;
  }

  /** Milliseconds from the start. */
  give(key: Candidate): number {
    const hash = createHash('sha1').update(this.planId).update(key.raw).digest().readUInt32BE(0);
    const { fromSeconds, windowSeconds } = this.options;
    const offset = Math.round((fromSeconds + (hash / 2 ** 32) * windowSeconds) * 1000);
    if (key.expireAt !== null) this.count(this.before, key.expireAt);
    this.count(this.after, this.from + offset);
    return offset;
  }

  /** A key that stays as it is shows on both sides. */
  keep(key: Candidate): void {
    if (key.expireAt === null) return;
    this.count(this.before, key.expireAt);
    this.count(this.after, key.expireAt);
  }

  histogram(): DeletionPlan['expiries'] {
    return this.before.map((before, index) => ({
      from: this.from + index * this.bucketMs,
      to: this.from + (index + 1) * this.bucketMs,
      before,
      after: this.after[index] ?? 0,
    }));
  }

  /** What lies beyond the last bucket is not drawn. */
  private count(side: number[], at: number): void {
    const index = Math.floor((at - this.from) / this.bucketMs);
    if (index >= 0 && index < BUCKETS) side[index] = (side[index] ?? 0) + 1;
  }
}
