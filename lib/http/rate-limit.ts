import { toAddressGroup } from '@/lib/access/auth/address-group';

export type RateClass = 'read' | 'costly' | 'change' | 'stop';
/** `burst` = how many requests a full bucket allows at once. */
export const RATES: Record<RateClass, { burst: number; perSecond: number }> = {
  read: { burst: 2000, perSecond: 200 },
  /** Requests that ask Redis servers, or that read every row of a snapshot for a file. */
  costly: { burst: 120, perSecond: 5 },
  change: { burst: 300, perSecond: 10 },
  /** The emergency stop has its own bucket, so that many other requests cannot delay it. */
  stop: { burst: 2000, perSecond: 200 },
};
const MAX_ADDRESSES = 10_000;

interface Bucket {
  left: number;
  at: number;
}

/**
 * Limits how often one address may send requests: a bucket that fills steadily and allows bursts. Memory is bounded: of
 * more than MAX_ADDRESSES addresses the least recent is forgotten. Clients of a proxy that is not trusted share its
 * address, so the limits are far above what people and pages need; they are meant for loops. A refused request takes
 * nothing from the bucket, because otherwise one client that never stops would lock out everybody with the same
 * address.
 */
export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();

  get size(): number {
    return this.buckets.size;
  }

  /** Counts a request. Returns the seconds to wait, or 0 if it is allowed. `now` in milliseconds. */
  take(address: string, kind: RateClass, now: number): number {
    const { burst, perSecond } = RATES[kind];
    const key = `${kind} ${toAddressGroup(address)}`;
    const { left, at } = this.buckets.get(key) ?? { left: burst, at: now };
    const filled = Math.min(burst, left + (Math.max(0, now - at) / 1000) * perSecond);
    this.buckets.delete(key);
    this.buckets.set(key, { left: filled >= 1 ? filled - 1 : filled, at: now });
    if (this.buckets.size > MAX_ADDRESSES * Object.keys(RATES).length)
      this.buckets.delete(this.buckets.keys().next().value as string);
    return filled >= 1 ? 0 : Math.ceil((1 - filled) / perSecond);
  }
}

/**
 * Returns the class of a request that no route answers. null = a page or a file of Colonnade, which costs almost
 * nothing.
 */
export function classifyUnrouted(method: string, path: string): RateClass | null {
  if (method !== 'GET' && method !== 'HEAD') return 'change';
  return path.startsWith('/api/') ? 'read' : null;
}
