import { recordAudit } from '@/lib/access/audit/record';
import { assertTransition } from '@/lib/jobs/statuses/assert-transition';
import { getStoredJobOrThrow } from '@/lib/jobs/statuses/get-job';
import { ENGINE } from '@/lib/model/actor';
import type { WaitReason } from '@/lib/model/job';
import { ACTIVE_STATES, type JobState } from '@/lib/model/job-states';
import { isPresent } from '@/lib/model/presence';
import { log } from '@/lib/runtime/log';
import { endOldAccess } from '@/lib/store/accounts/end-old-access';
import { findStoredJobs, isShared, readStoreNow, type StoredJob, updateJob } from '@/lib/store/jobs';
import { runTransaction } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { listPresences } from '@/lib/store/workers';
import { type MarkEvidence, raiseMark, readMark } from './high-water-mark';
import type { JobKind } from './job-kind';
import { isLeaseFree, toFreeLease } from './lease';

/**
 * How long, in ms, no process may have run jobs. After that the approved keys may have changed; a plan of this age is
 * made again too.
 */
export const MAX_GAP_MS = 15 * 60_000;
/** Setting: when the store was last found to be older than the work that was done, epoch ms. */
const RESTORED_SETTING = 'store_restored';
/** Setting: when the newest completed check began, epoch ms by the clock of the store. */
const CHECKED_SETTING = 'jobs_looked_at';

/**
 * Called before the first job is taken over. Jobs that delete something are paused until a person resumes them, if the
 * store is older than the work that was done (a restored backup, a copied folder), or if no process ran jobs for long.
 * After a crash neither is the case, and the jobs continue without a person. `markFolders`: folders besides the data
 * folder with a file of the high-water mark.
 */
export async function parkRestoredJobs(
  kinds: Iterable<JobKind>,
  markFolders: readonly string[] = [],
  processId?: string,
): Promise<void> {
  const destructive = [...kinds].filter((kind) => kind.isDestructive);
  if (destructive.length === 0) return;
  const { evidence, highest } = await readMark(markFolders);
  const now = await readStoreNow();
  // If other processes run jobs too, a job may only have waited long for its turn, and held jobs belong to those
  // processes.
  const haveOthersRun = await haveOtherProcessesRun(processId);
  for (const kind of destructive) {
    const query = { kinds: [kind.kind], states: [...ACTIVE_STATES, 'paused'] as JobState[], limit: 100_000 };
    for (const stored of await findStoredJobs(query)) {
      if (haveOthersRun && !isLeaseFree(stored.lease, now)) continue;
      const proof = evidence ?? ((await kind.isAhead?.(stored)) ? 'work' : null);
      const hasGap =
        !haveOthersRun && stored.job.state !== 'paused' && Math.abs(now - stored.job.updatedAt) > MAX_GAP_MS;
      if (proof) await pauseJobForReview(stored, 'store_restored', now);
      else if (hasGap) await pauseJobForReview(stored, 'store_gap', now);
      else continue;
      log().warn({ job: stored.job.id, evidence: proof ?? 'gap' }, 'job.needs_review');
    }
  }
  if (evidence) {
    log().warn({ evidence }, 'store.restored');
    // If other processes are running, their access does not come from a backup.
    if (!haveOthersRun) await endRestoredAccess(evidence);
    await setSetting(RESTORED_SETTING, String(now));
  }
  await raiseMark(markFolders, highest).catch((error) => log().warn({ err: error }, 'store.mark_failed'));
  if (await isShared()) await recordCheck(now);
}

/** Records a check. If several overlap, the one that began last counts, whichever ends last. */
const recordCheck = (beganAt: number) =>
  runTransaction(async (tx) => {
    const last = Number((await getSetting(CHECKED_SETTING, tx)) ?? 0);
    if (last < beganAt) await setSetting(CHECKED_SETTING, String(beganAt), tx);
  });

/**
 * Whether other processes ran jobs before this check. This process itself does not count, nor do processes that started
 * together with it: another process counts if a check has ended since it started, because jobs that had to be paused
 * are paused since then.
 */
async function haveOtherProcessesRun(processId: string | undefined): Promise<boolean> {
  const others = (await listPresences()).filter(
    (presence) => presence.id !== processId && presence.role !== 'web' && isPresent(presence),
  );
  if (processId === undefined) return others.length > 0;
  const checkedAt = Number((await getSetting(CHECKED_SETTING)) ?? 0);
  return others.some(({ startedAt }) => startedAt <= checkedAt);
}

/**
 * Ends sessions, links and approvals from before the restore. Tokens stay valid, because a copied folder looks the same
 * and programs would stop working.
 */
const endRestoredAccess = (evidence: MarkEvidence) =>
  runTransaction(async (tx) => {
    const { sessions, links, approvals } = await endOldAccess({ tokens: false }, tx);
    if (sessions + links + approvals === 0) return;
    const details = { evidence, sessions, links, approvals };
    await recordAudit(tx, { actor: ENGINE, action: 'store.restore', subject: 'by hand', details });
  });

/** Returns when this store was last found to be older than the work that was done, epoch ms; null: never. */
export async function readRestoredTime(): Promise<number | null> {
  const at = await getSetting(RESTORED_SETTING);
  return at === null ? null : Number(at);
}

async function pauseJobForReview({ job }: StoredJob, code: WaitReason['code'], now: number): Promise<void> {
  await runTransaction(async (tx) => {
    const stored = await getStoredJobOrThrow(job.id, tx);
    const { state } = stored.job;
    // A job that is being cancelled deletes nothing any more.
    if (state !== 'paused' && !ACTIVE_STATES.includes(state)) return;
    if (state === 'cancelling') return;
    if (state === 'running' || state === 'waiting') {
      assertTransition(job.id, state, 'pausing');
      assertTransition(job.id, 'pausing', 'paused');
    } else if (state !== 'paused') assertTransition(job.id, state, 'paused');
    const { fence } = stored.lease;
    // A process that still holds the job, here or where the copy was made, must not write to this store any more.
    await updateJob(
      job.id,
      { state: 'paused', reason: { code, params: {}, since: now }, lease: toFreeLease(fence + 1) },
      tx,
    );
  });
}
