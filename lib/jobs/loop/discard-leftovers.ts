import { getStoredJobOrThrow } from '@/lib/jobs/statuses/get-job';
import { log } from '@/lib/runtime/log';
import { findJobsToDiscard } from '@/lib/store/claims/held-leases';
import { readStoreNow, type StoredJob, updateJob, updateJobFenced } from '@/lib/store/jobs';
import { runRowTransaction } from '@/lib/store/open-store';
import type { JobKind } from './job-kind';
import { keepLease } from './keep-lease';
import { isFree, toFreeLease } from './lease';

/** `stopping`: no further clean-up starts. `left`: the running one is abandoned and writes nothing any more. */
export interface DiscardState {
  stopping: boolean;
  left: boolean;
}

/**
 * Lets the job kinds delete what cancelled and failed jobs left. `discardPending` is set with the end of the job and
 * cleared after the clean-up. A crash in between repeats it, so `discard` must be idempotent.
 */
export async function discardLeftovers(
  kinds: ReadonlyMap<string, JobKind>,
  owner: string,
  leaseMs: number,
  state: DiscardState,
): Promise<void> {
  const due = await findJobsToDiscard([...kinds.keys()]);
  if (due.length === 0) return;
  const now = await readStoreNow();
  for (const { id, lease } of due) {
    if (state.stopping) return;
    if (!isFree(lease, now)) continue;
    const claimed = await claim(id, owner, leaseMs);
    if (!claimed) continue;
    const { job } = claimed;
    // Deleting what a large scan left takes minutes on a slow share. The lease is renewed, so that no other process
    // starts the same.
    const stopRenewing = keepLease(id, claimed.lease, leaseMs, state);
    try {
      const left = await kinds.get(job.kind)?.discard?.(job, claimed.checkpoint, claimed.params);
      await stopRenewing();
      if (state.left) return;
      const { fence } = claimed.lease;
      // If nothing was kept, a failed job that is resumed starts from the beginning.
      const checkpoint = left === 'kept' ? {} : { checkpoint: null };
      await updateJobFenced(id, claimed.lease, { discardPending: false, ...checkpoint, lease: toFreeLease(fence) });
    } catch (error) {
      await stopRenewing();
      // The lease stays until it expires, which delays the next attempt.
      log().error({ job: id, kind: job.kind, err: error }, 'job.cleanup_failed');
    }
  }
}

async function claim(id: string, owner: string, leaseMs: number): Promise<StoredJob | null> {
  return runRowTransaction(async (tx) => {
    const stored = await getStoredJobOrThrow(id, tx);
    const now = await readStoreNow(tx);
    if (!stored.discardPending || !isFree(stored.lease, now)) return null;
    const lease = { owner, fence: stored.lease.fence + 1, until: now + leaseMs };
    await updateJob(id, { lease }, tx);
    return { ...stored, lease };
  });
}
