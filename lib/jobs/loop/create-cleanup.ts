import { getStoredJobOrThrow } from '@/lib/jobs/statuses/get-job';
import { log } from '@/lib/runtime/log';
import { findJobsToDiscard } from '@/lib/store/claims/held-leases';
import { readStoreNow, type StoredJob, updateJob, updateJobFenced } from '@/lib/store/jobs';
import { runRowTransaction } from '@/lib/store/open-store';
import type { JobKind } from './job-kind';
import { isLeaseFree, toFreeLease } from './lease';

interface Cleanup {
  /** Starts the clean-up unless it is running. */
  startCleanup(): void;
  /** Starts nothing more; resolves when the running clean-up has ended. */
  stop(): Promise<void>;
  /** Called when the process ends: the running clean-up writes nothing more, and the next process repeats it. */
  abandon(): void;
}

interface CleanupState {
  /** True: no further job is cleaned up. */
  isStopping: boolean;
  /** True: the running clean-up writes nothing more. */
  isAbandoned: boolean;
}

/** Cleans up after jobs next to the loop, one job after the other, so that claims do not wait for the disk. */
export function createCleanup(kinds: ReadonlyMap<string, JobKind>, processId: string, leaseMs: number): Cleanup {
  const state: CleanupState = { isStopping: false, isAbandoned: false };
  let running: Promise<void> | null = null;
  return {
    startCleanup() {
      if (running !== null || state.isStopping) return;
      running = discardLeftovers(kinds, processId, leaseMs, state)
        .catch((error) => log().error({ err: error }, 'engine.cleanup_failed'))
        .finally(() => {
          running = null;
        });
    },
    stop() {
      state.isStopping = true;
      return running ?? Promise.resolve();
    },
    abandon() {
      state.isAbandoned = true;
    },
  };
}

/**
 * Lets the job kinds delete what cancelled and failed jobs left. `discardPending` is set with the end of the job and
 * cleared after the clean-up. A crash in between repeats it, so `discard` must be idempotent.
 */
async function discardLeftovers(
  kinds: ReadonlyMap<string, JobKind>,
  processId: string,
  leaseMs: number,
  state: CleanupState,
): Promise<void> {
  const pendingJobs = await findJobsToDiscard([...kinds.keys()]);
  if (pendingJobs.length === 0) return;
  const now = await readStoreNow();
  for (const { id, lease } of pendingJobs) {
    if (state.isStopping) return;
    if (!isLeaseFree(lease, now)) continue;
    const claimed = await claimForCleanup(id, processId, leaseMs);
    if (!claimed) continue;
    const { job } = claimed;
    // Deleting what a large scan left takes minutes on a slow share. The lease is renewed, so that no other process
    // starts the same.
    const stopRenewing = keepLease(id, claimed.lease, leaseMs, state);
    try {
      const outcome = await kinds.get(job.kind)?.discard?.(job, claimed.checkpoint, claimed.params);
      await stopRenewing();
      if (state.isAbandoned) return;
      const { fence } = claimed.lease;
      // If the kind kept nothing, a failed job that is resumed starts from the beginning.
      const checkpoint = outcome === 'kept' ? {} : { checkpoint: null };
      await updateJobFenced(id, claimed.lease, { discardPending: false, ...checkpoint, lease: toFreeLease(fence) });
    } catch (error) {
      await stopRenewing();
      // The lease stays until it expires, which delays the next attempt.
      log().error({ job: id, kind: job.kind, err: error }, 'job.cleanup_failed');
    }
  }
}

async function claimForCleanup(id: string, processId: string, leaseMs: number): Promise<StoredJob | null> {
  return runRowTransaction(async (tx) => {
    const stored = await getStoredJobOrThrow(id, tx);
    const now = await readStoreNow(tx);
    if (!stored.discardPending || !isLeaseFree(stored.lease, now)) return null;
    const lease = { holder: processId, fence: stored.lease.fence + 1, until: now + leaseMs };
    await updateJob(id, { lease }, tx);
    return { ...stored, lease };
  });
}

/**
 * Renews a lease until the returned function is called, which resolves when no renewal is running any more. If another
 * holder has the lease, renewing stops; writes under its fence are refused anyway.
 */
function keepLease(
  id: string,
  { holder, fence }: StoredJob['lease'],
  leaseMs: number,
  state: CleanupState,
): () => Promise<void> {
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const renew = async () => {
    const until = (await readStoreNow()) + leaseMs;
    if ((await updateJobFenced(id, { holder, fence }, { lease: { holder, fence, until } })) === null) hasEnded = true;
  };
  const scheduleRenewal = () => {
    timer = setTimeout(() => {
      if (hasEnded || state.isAbandoned) return;
      // If the store is away for a moment, the renewal is tried again.
      running = renew()
        .catch(() => {})
        .finally(() => {
          if (!hasEnded) scheduleRenewal();
        });
    }, leaseMs / 3);
    timer.unref();
  };
  scheduleRenewal();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
    return running;
  };
}
