import { createHash } from 'node:crypto';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { ExpireOptions } from '@/lib/model/deletions/plan-request';
import type { Candidate } from './candidate';
import type { ServerConstraints } from './server-constraints';

const BUCKET_COUNT = 24;
/** A nearer expiry leaves a person who sees a mistake no time to undo it. */
const SHORT_MS = 10 * 60_000;
/**
 * Freeing this much in the main thread takes about ten milliseconds: 1.06 s were measured for a hash of a million
 * fields.
 */
const BLOCKING_ELEMENTS = 10_000;
const BLOCKING_BYTES = 64 * 1024 * 1024;

/**
 * Returns what a person has to agree to before a key gets this expiry (ms from the start; null = none). It may be
 * unknown whether the server frees memory in the background.
 */
export function listExpiryHazards(
  { type, length, bytes }: Pick<Candidate, 'type' | 'length' | 'bytes'>,
  newExpireAt: number | null,
  { lazyExpire }: Pick<ServerConstraints, 'lazyExpire'>,
): ('short_expiry' | 'blocking_expiry')[] {
  const isShort = newExpireAt !== null && newExpireAt < SHORT_MS;
  // The length of a string is bytes, and a string is freed at once whatever the settings of the server.
  const isMany = type !== 'string' && lazyExpire !== true && (length ?? 0) >= BLOCKING_ELEMENTS;
  const isLarge = (type === 'string' || lazyExpire !== true) && (bytes ?? 0) >= BLOCKING_BYTES;
  return [...(isShort ? ['short_expiry' as const] : []), ...(isMany || isLarge ? ['blocking_expiry' as const] : [])];
}

/**
 * Chooses the expiry of each key as an offset from the start of the work, spread evenly over the period by a hash of
 * the name: the same plan always gives the same key the same offset.
 */
export class ExpiryPlan {
  private readonly startAt: number;
  private readonly bucketMs: number;
  private readonly keysBefore = new Array<number>(BUCKET_COUNT).fill(0);
  private readonly keysAfter = new Array<number>(BUCKET_COUNT).fill(0);

  constructor(
    private readonly planId: string,
    private readonly options: ExpireOptions,
    now = Date.now(),
  ) {
    this.startAt = now;
    this.bucketMs = ((options.fromSeconds + options.windowSeconds) * 1000 * 1.05) / BUCKET_COUNT;
  }

  /** Returns the offset of a key, ms from the start. */
  assignOffset(key: Candidate): number {
    const hash = createHash('sha1').update(this.planId).update(key.raw).digest().readUInt32BE(0);
    const { fromSeconds, windowSeconds } = this.options;
    const offset = Math.round((fromSeconds + (hash / 2 ** 32) * windowSeconds) * 1000);
    if (key.expireAt !== null) this.countIn(this.keysBefore, key.expireAt);
    this.countIn(this.keysAfter, this.startAt + offset);
    return offset;
  }

  /** Counts a key that keeps its expiry, before and after the work. */
  countUnchanged(key: Candidate): void {
    if (key.expireAt === null) return;
    this.countIn(this.keysBefore, key.expireAt);
    this.countIn(this.keysAfter, key.expireAt);
  }

  buildHistogram(): DeletionPlan['expiries'] {
    return this.keysBefore.map((before, index) => ({
      from: this.startAt + index * this.bucketMs,
      to: this.startAt + (index + 1) * this.bucketMs,
      before,
      after: this.keysAfter[index] ?? 0,
    }));
  }

  /** Counts one expiry; expiries after the last bucket are not counted. */
  private countIn(buckets: number[], expireAt: number): void {
    const index = Math.floor((expireAt - this.startAt) / this.bucketMs);
    if (index >= 0 && index < BUCKET_COUNT) buckets[index] = (buckets[index] ?? 0) + 1;
  }
}
