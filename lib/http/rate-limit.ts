import { addressGroup } from '@/lib/auth/address-group';

/**
 * How often one address may ask: a bucket that fills steadily and lets bursts through. Bounded memory: of so many
 * addresses the one that asked longest ago is forgotten. Behind a proxy that is not trusted to name them all share its
 * address, so the bounds are far above what people and pages do; they are there for loops. What is refused takes
 * nothing from the bucket: else somebody who never ceases would keep out everybody behind the same address.
 */
export type RateClass = 'read' | 'costly' | 'change' | 'stop';
export const RATES: Record<RateClass, { burst: number; perSecond: number }> = {
  read: { burst: 2000, perSecond: 200 },
  /** Asks Redis servers, or every row of a snapshot for a file. */
  costly: { burst: 120, perSecond: 5 },
  change: { burst: 300, perSecond: 10 },
  /** The emergency stop: no flood of other requests stands in its way. */
  stop: { burst: 2000, perSecond: 200 },
};
const MAX_ADDRESSES = 10_000;

interface Bucket {
  left: number;
  at: number;
}

export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();

  get size(): number {
    return this.buckets.size;
  }

  /** Seconds to wait, or 0 when it may be asked. `now` in milliseconds. */
  take(address: string, kind: RateClass, now: number): number {
    const { burst, perSecond } = RATES[kind];
    const key = `${kind} ${addressGroup(address)}`;
    const { left, at } = this.buckets.get(key) ?? { left: burst, at: now };
    const filled = Math.min(burst, left + (Math.max(0, now - at) / 1000) * perSecond);
    this.buckets.delete(key);
    this.buckets.set(key, { left: filled >= 1 ? filled - 1 : filled, at: now });
    if (this.buckets.size > MAX_ADDRESSES * Object.keys(RATES).length)
      this.buckets.delete(this.buckets.keys().next().value as string);
    return filled >= 1 ? 0 : Math.ceil((1 - filled) / perSecond);
  }
}

const COSTLY =
  /^\/api\/(instances\/(test$|[^/]+\/(server|audit|leftovers|keys)(\/|$))|snapshots\/[^/]+\/keys$|profiles\/(check|import)$)/;

const STOP = /^\/api\/(?:deletions\/[^/]+\/)?panic\/?$/;

/** null: a page or a file of Colonnade, which costs next to nothing. */
export function rateClassOf(method: string, path: string): RateClass | null {
  if (COSTLY.test(path)) return 'costly';
  if (STOP.test(path)) return 'stop';
  if (method !== 'GET' && method !== 'HEAD') return 'change';
  return path.startsWith('/api/') || path === '/metrics' ? 'read' : null;
}
