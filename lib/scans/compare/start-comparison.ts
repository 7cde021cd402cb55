import { config } from '@/lib/runtime/config';
import { log } from '@/lib/runtime/log';
import { makeWish, readWish, type Wish } from '@/lib/store/wishes';

/** After a failed comparison, pages do not start another one for this long, in ms. */
const RETRY_AFTER_MS = 10 * 60_000;

/**
 * Starts a comparison in this process or, in a process that only serves pages, leaves it to a worker and takes over its
 * answer. null: it has not ended, or its result is in a file. Errors: that with which it has failed at a worker.
 */
export async function startComparison<T>(
  wish: Extract<Wish, { kind: 'compare' | 'compare-keys' }>,
  compare: () => Promise<T>,
  { alone }: { alone: boolean },
): Promise<T | null> {
  if (config.role !== 'web') {
    void compare().catch((error) => logComparisonFailure(wish.snapshotId, error));
    return null;
  }
  await makeWish(wish, { againMs: RETRY_AFTER_MS, alone });
  return ((await readWish(wish))?.answer ?? null) as T | null;
}

export const logComparisonFailure = (snapshot: string, error: unknown): void =>
  log().warn({ snapshot, err: error }, 'scan.comparison_failed');
