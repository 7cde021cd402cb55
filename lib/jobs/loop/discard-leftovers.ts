import { storedJobOrThrow } from '@/lib/jobs/statuses/get-job';
import { log } from '@/lib/log';
import { findJobsToDiscard } from '@/lib/store/claims/jobs-to-take';
import { type StoredJob, storeNow, updateJob, updateJobFenced } from '@/lib/store/jobs';
import { rowTransaction } from '@/lib/store/open-store';
import { keepLease } from './keep-lease';
import type { JobKind } from './kind';
import { freed, isFree } from './lease';

/** `stopping`: nothing more is begun. `left`: what was begun is given up, nothing is written any more. */
export interface DiscardState {
  stopping: boolean;
  left: boolean;
}

/**
 * Lets the kinds remove what cancelled and failed jobs left. The wish is written with the end of the job and taken
 * back after the work, so a crash between leads to doing it again: `discard` must bear that.
 */
export async function discardLeftovers(
  kinds: ReadonlyMap<string, JobKind>,
  owner: string,
  leaseMs: number,
  state: DiscardState,
): Promise<void> {
  const due = await findJobsToDiscard([...kinds.keys()]);
  if (due.length === 0) return;
  const now = await storeNow();
  for (const { id, lease } of due) {
    if (state.stopping) return;
    if (!isFree(lease, now)) continue;
    const claimed = await claim(id, owner, leaseMs);
    if (!claimed) continue;
    const { job } = claimed;
    // Removing what a large scan left takes minutes on a slow share: nobody else begins the same meanwhile.
    const stopRenewing = keepLease(id, claimed.lease, leaseMs, state);
    try {
      const left = await kinds.get(job.kind)?.discard?.(job, claimed.checkpoint, claimed.params);
      await stopRenewing();
      if (state.left) return;
      const { fence } = claimed.lease;
      // With nothing kept, a failed job that is resumed starts again.
      const checkpoint = left === 'kept' ? {} : { checkpoint: null };
      await updateJobFenced(id, claimed.lease, { discardPending: false, ...checkpoint, lease: freed(fence) });
    } catch (error) {
      await stopRenewing();
      // The lease stays until it runs out, which spaces the attempts.
      log().error({ job: id, kind: job.kind, err: error }, 'job.cleanup_failed');
    }
  }
}

async function claim(id: string, owner: string, leaseMs: number): Promise<StoredJob | null> {
  return rowTransaction(async (tx) => {
    const stored = await storedJobOrThrow(id, tx);
    const now = await storeNow(tx);
    if (!stored.discardPending || !isFree(stored.lease, now)) return null;
    const lease = { owner, fence: stored.lease.fence + 1, until: now + leaseMs };
    await updateJob(id, { lease }, tx);
    return { ...stored, lease };
  });
}
