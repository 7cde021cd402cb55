import { createHash } from 'node:crypto';
import { assertTransition, HELD_STATES } from '@/lib/jobs/statuses/assert-transition';
import { getStoredJobOrThrow } from '@/lib/jobs/statuses/get-job';
import type { WaitReason } from '@/lib/model/job';
import type { JobState } from '@/lib/model/job-states';
import { log } from '@/lib/runtime/log';
import { findHeldLeases } from '@/lib/store/claims/held-leases';
import { getStoredJob, type JobPatch, readStoreNow, type StoredJob, updateJob } from '@/lib/store/jobs';
import { runRowTransaction } from '@/lib/store/open-store';
import type { JobKind } from './job-kind';
import { isLeaseFree, toFreeLease } from './lease';

/** After this many takeovers of a job without progress, the job is paused until a person has looked at it. */
export const MAX_TAKEOVERS = 5;
/** Takeovers are forgotten after this many ms: processes that ended so far apart were not ended by the job. */
const FORGET_MS = 24 * 3_600_000;

/**
 * The next state of a job whose runner has ended: a running job is queued again, and a job that was asked to stop has
 * stopped.
 */
const STATE_AFTER_DEATH: Partial<Record<JobState, JobState>> = {
  running: 'queued',
  waiting: 'queued',
  pausing: 'paused',
  cancelling: 'cancelled',
};

/**
 * This process and the jobs it runs. If it has the lease of a job that it does not run, the answer of the store to its
 * claim or to the end of the job was lost.
 */
interface OwnJobs {
  processId: string;
  runningIds: ReadonlySet<string>;
}

/** Takes over the jobs of dead runners; they continue from their checkpoint without a person. */
export async function recoverJobs(
  kinds: ReadonlyMap<string, JobKind>,
  { processId, runningIds }: OwnJobs,
): Promise<void> {
  for (const { id, kind, lease, now } of await findHeldLeases([...kinds.keys()], HELD_STATES)) {
    if (runningIds.has(id) || !hasRunEnded(lease, processId, now)) continue;
    const stored = await getStoredJob(id);
    if (!stored) continue;
    // This process holds the job and has not ended, so the takeover is not counted against the job.
    const takeovers = lease.holder === processId ? stored.takeovers : await countTakeover(stored, kinds.get(kind), now);
    await recoverJob(id, processId, takeovers);
  }
}

/**
 * Returns the number of takeovers of a job, including this one, since it last made progress. A job that kills its
 * process at the same step each time would otherwise move from one process to the next forever.
 */
export async function countTakeover(
  stored: StoredJob,
  kind: JobKind | undefined,
  now: number,
): Promise<StoredJob['takeovers']> {
  const progress = (await kind?.describeProgress?.(stored)) ?? JSON.stringify(stored.checkpoint);
  const progressHash = createHash('sha256').update(progress).digest('base64url');
  const { takeovers } = stored;
  const isSame = takeovers?.at === progressHash && now - takeovers.since < FORGET_MS;
  return isSame ? { ...takeovers, count: takeovers.count + 1 } : { at: progressHash, count: 1, since: now };
}

const hasRunEnded = (lease: StoredJob['lease'], processId: string, now: number): boolean =>
  lease.holder === processId || isLeaseFree(lease, now);

async function recoverJob(id: string, processId: string, takeovers: StoredJob['takeovers']): Promise<void> {
  await runRowTransaction(async (tx) => {
    const stored: StoredJob = await getStoredJobOrThrow(id, tx);
    const { state, kind } = stored.job;
    const next = STATE_AFTER_DEATH[state];
    const now = await readStoreNow(tx);
    // Another process was faster.
    if (!next || !hasRunEnded(stored.lease, processId, now)) return;
    const lease = toFreeLease(stored.lease.fence);
    const takeoverCount = takeovers?.count ?? 0;
    if (next === 'queued' && takeoverCount >= MAX_TAKEOVERS) {
      assertTransition(id, state, 'pausing');
      assertTransition(id, 'pausing', 'paused');
      const reason: WaitReason = { code: 'interrupted_often', params: { times: takeoverCount }, since: now };
      await updateJob(id, { state: 'paused', reason, takeovers, lease }, tx);
      log().error({ job: id, kind, times: takeoverCount }, 'job.interrupted_often');
      return;
    }
    assertTransition(id, state, next);
    const patch: JobPatch = { state: next, takeovers, lease };
    if (next === 'queued') patch.reason = { code: 'interrupted', params: {}, since: now };
    if (next === 'cancelled') Object.assign(patch, { reason: null, endedAt: now, discardPending: true });
    await updateJob(id, patch, tx);
  });
}
