import { storedJobOrThrow } from '@/lib/jobs/statuses/get-job';
import { assertTransition, HELD_STATES } from '@/lib/jobs/statuses/transition';
import { findStoredJobs, isShared, type StoredJob, storeNow, updateJob } from '@/lib/store/jobs';
import { viewForClaim } from '@/lib/store/jobs-to-take';
import { rowTransaction, type Tx } from '@/lib/store/open-store';
import { type ClaimLimits, chooseJob } from './choose-job';

const NO_LIMITS: ClaimLimits = { labels: [], atOnce: null };

/**
 * Takes a queued job, with a fence higher than anyone had before: the oldest, or where several processes share the
 * store the one that `chooseJob` names. null = nothing to do.
 */
export async function claimJob(
  kinds: string[],
  owner: string,
  leaseMs: number,
  limits: ClaimLimits = NO_LIMITS,
): Promise<StoredJob | null> {
  const query = { kinds, states: ['queued'] as const, oldestFirst: true, limit: 1 };
  // Asked outside first: a write transaction every half second for nothing would disturb the writers.
  if ((await findStoredJobs(query)).length === 0) return null;
  const shared = await isShared();
  return rowTransaction(async (tx) => {
    const next = shared ? await chosen(kinds, limits, tx) : (await findStoredJobs(query, tx))[0];
    if (!next) return null;
    const { id, state, startedAt } = next.job;
    assertTransition(id, state, 'running');
    const now = await storeNow(tx);
    const lease = { owner, fence: next.lease.fence + 1, until: now + leaseMs };
    await updateJob(id, { state: 'running', startedAt: startedAt ?? now, reason: null, error: null, lease }, tx);
    return storedJobOrThrow(id, tx);
  });
}

async function chosen(kinds: string[], limits: ClaimLimits, tx: Tx): Promise<StoredJob | null> {
  const id = chooseJob(await viewForClaim(kinds, HELD_STATES, tx), limits);
  if (id === null) return null;
  const stored = await storedJobOrThrow(id, tx);
  // Paused or cancelled since: the next look finds another one.
  return stored.job.state === 'queued' ? stored : null;
}
