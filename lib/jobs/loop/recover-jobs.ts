import { assertTransition, HELD_STATES } from '@/lib/jobs/statuses/assert-transition';
import { getStoredJobOrThrow } from '@/lib/jobs/statuses/get-job';
import type { WaitReason } from '@/lib/model/job';
import type { JobState } from '@/lib/model/job-states';
import { log } from '@/lib/runtime/log';
import { findHeldLeases } from '@/lib/store/claims/held-leases';
import { getStoredJob, type JobPatch, readStoreNow, type StoredJob, updateJob } from '@/lib/store/jobs';
import { runRowTransaction } from '@/lib/store/open-store';
import { countTakeover, MAX_TAKEOVERS } from './count-takeover';
import type { JobKind } from './job-kind';
import { isFree, toFreeLease } from './lease';

/**
 * The next state of a job whose runner has ended: a running job is queued again, and a job that was asked to stop has
 * stopped.
 */
const AFTER_DEATH: Partial<Record<JobState, JobState>> = {
  running: 'queued',
  waiting: 'queued',
  pausing: 'paused',
  cancelling: 'cancelled',
};

/**
 * This process and the jobs it runs. If it holds a job that it does not run, the answer to its claim or to its end was
 * lost.
 */
interface Self {
  owner: string;
  runs: ReadonlySet<string>;
}

/** Takes over the jobs of dead runners; they continue from their checkpoint without a person. Returns how many. */
export async function recoverJobs(kinds: ReadonlyMap<string, JobKind>, { owner, runs }: Self): Promise<number> {
  let recovered = 0;
  for (const { id, kind, lease, now } of await findHeldLeases([...kinds.keys()], HELD_STATES)) {
    if (runs.has(id) || !isOver(lease, owner, now)) continue;
    const stored = await getStoredJob(id);
    if (!stored) continue;
    // This process holds the job and has not ended, so the takeover is not counted against the job.
    const takeovers = lease.owner === owner ? stored.takeovers : await countTakeover(stored, kinds.get(kind), now);
    recovered += await recover(id, owner, takeovers);
  }
  return recovered;
}

const isOver = (lease: StoredJob['lease'], owner: string, now: number): boolean =>
  lease.owner === owner || isFree(lease, now);

async function recover(id: string, owner: string, takeovers: StoredJob['takeovers']): Promise<number> {
  return runRowTransaction(async (tx) => {
    const stored: StoredJob = await getStoredJobOrThrow(id, tx);
    const { state, kind } = stored.job;
    const next = AFTER_DEATH[state];
    const now = await readStoreNow(tx);
    // Another process was faster.
    if (!next || !isOver(stored.lease, owner, now)) return 0;
    const lease = toFreeLease(stored.lease.fence);
    const times = takeovers?.count ?? 0;
    if (next === 'queued' && times >= MAX_TAKEOVERS) {
      assertTransition(id, state, 'pausing');
      assertTransition(id, 'pausing', 'paused');
      const reason: WaitReason = { code: 'interrupted_often', params: { times }, since: now };
      await updateJob(id, { state: 'paused', reason, takeovers, lease }, tx);
      log().error({ job: id, kind, times }, 'job.interrupted_often');
      return 1;
    }
    assertTransition(id, state, next);
    const patch: JobPatch = { state: next, takeovers, lease };
    if (next === 'queued') patch.reason = { code: 'interrupted', params: {}, since: now };
    if (next === 'cancelled') Object.assign(patch, { reason: null, endedAt: now, discardPending: true });
    await updateJob(id, patch, tx);
    return 1;
  });
}
