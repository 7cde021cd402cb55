import { storedJobOrThrow } from '@/lib/jobs/statuses/get-job';
import { assertTransition } from '@/lib/jobs/statuses/transition';
import { findStoredJobs, type StoredJob, storeNow, updateJob } from '@/lib/store/jobs';
import { rowTransaction } from '@/lib/store/open-store';

/** Takes the oldest queued job, with a fence higher than anyone had before. null = nothing to do. */
export async function claimJob(kinds: string[], owner: string, leaseMs: number): Promise<StoredJob | null> {
  const query = { kinds, states: ['queued'] as const, oldestFirst: true, limit: 1 };
  // Asked outside first: a write transaction every half second for nothing would disturb the writers.
  if ((await findStoredJobs(query)).length === 0) return null;
  return rowTransaction(async (tx) => {
    const [next] = await findStoredJobs({ ...query, claim: true }, tx);
    if (!next) return null;
    const { id, state, startedAt } = next.job;
    assertTransition(id, state, 'running');
    const now = await storeNow(tx);
    const lease = { owner, fence: next.lease.fence + 1, until: now + leaseMs };
    await updateJob(id, { state: 'running', startedAt: startedAt ?? now, reason: null, error: null, lease }, tx);
    return storedJobOrThrow(id, tx);
  });
}
