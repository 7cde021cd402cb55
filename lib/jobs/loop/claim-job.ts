import { assertTransition, HELD_STATES } from '@/lib/jobs/statuses/transition';
import { findStoredJobs, isShared, type StoredJob, storeNow, updateJob } from '@/lib/store/jobs';
import { lockQueued, viewForClaim } from '@/lib/store/jobs-to-take';
import { rowTransaction } from '@/lib/store/open-store';
import type { ClaimLimits } from './choose-job';
import { chooseJobs } from './choose-jobs';

export const NO_LIMITS: ClaimLimits = { labels: [], atOnce: null };
const NONE: ReadonlySet<string> = new Set();

/**
 * Takes as many queued jobs as there are `slots`, each with a fence higher than anyone had before: the oldest, or where
 * several processes share the store those that `chooseJobs` names. One transaction for all: the processes claim one
 * after the other, and a job that comes must not wait for each of many. Empty = nothing to do.
 */
export async function claimJobs(
  kinds: string[],
  owner: string,
  leaseMs: number,
  limits: ClaimLimits = NO_LIMITS,
  slots: number,
): Promise<StoredJob[]> {
  const query = { kinds, states: ['queued'] as const, oldestFirst: true };
  const { except = NONE } = limits;
  const free = ({ job }: StoredJob) => !except.has(job.id);
  // Asked outside first: a write transaction every half second for nothing would disturb the writers.
  if (!(await findStoredJobs({ ...query, limit: 1 + except.size })).some(free)) return [];
  const shared = await isShared();
  return rowTransaction(async (tx) => {
    const due = shared
      ? await lockQueued(chooseJobs(await viewForClaim(kinds, HELD_STATES, tx), limits, slots), tx)
      : (await findStoredJobs({ ...query, limit: slots + except.size }, tx)).filter(free).slice(0, slots);
    const claimed: StoredJob[] = [];
    if (due.length === 0) return claimed;
    const now = await storeNow(tx);
    for (const next of due) {
      const { id, state, startedAt } = next.job;
      assertTransition(id, state, 'running');
      const lease = { owner, fence: next.lease.fence + 1, until: now + leaseMs };
      const patch = { state: 'running', startedAt: startedAt ?? now, reason: null, error: null } as const;
      await updateJob(id, { ...patch, lease }, tx);
      claimed.push({ ...next, job: { ...next.job, ...patch }, lease });
    }
    return claimed;
  });
}

/** One of them; null = nothing to do. */
export async function claimJob(
  kinds: string[],
  owner: string,
  leaseMs: number,
  limits: ClaimLimits = NO_LIMITS,
): Promise<StoredJob | null> {
  return (await claimJobs(kinds, owner, leaseMs, limits, 1))[0] ?? null;
}
