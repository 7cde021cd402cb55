import { verb } from '@/lib/access/auth/verb';
import { listVisibleInstanceIds, scopeToDeletion, scopeToOwn } from '@/lib/access/auth/verb-scopes';
import { createCodedMessage } from '@/lib/deletions/journal/write-journal';
import { readUndoClock } from '@/lib/deletions/run/read-undo-clock';
import { OPEN_STATES } from '@/lib/jobs/statuses/assert-transition';
import type { Actor } from '@/lib/model/actor';
import { findCurrentApproval } from '@/lib/model/deletions/approval';
import { listAgreedConsents, listConsents } from '@/lib/model/deletions/consents';
import type { Deletion, DeletionPoint } from '@/lib/model/deletions/deletion';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import { isDeletingJob } from '@/lib/model/deletions/is-deleting-job';
import { hasChangedSince } from '@/lib/model/deletions/plan-changes';
import type { Consent } from '@/lib/model/deletions/plan-request';
import { AppError } from '@/lib/model/errors';
import { append } from '@/lib/model/text/append';
import { countItems, sumItems } from '@/lib/store/deletions/deletion-counts';
import { findJobsOfDeletion } from '@/lib/store/deletions/deletion-jobs';
import { getStoredDeletion, listStoredDeletions, type StoredDeletion } from '@/lib/store/deletions/deletions';
import { getStoredJob, type StoredJob } from '@/lib/store/jobs';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';
import { toWallClock } from '@/lib/store/settings/observed-clock';
import type { DeletionParams } from './deletion-kind';

export async function getDeletionOrThrow(id: string): Promise<StoredDeletion> {
  const stored = await getStoredDeletion(id);
  if (!stored) throw new AppError('not_found', 'There is no such plan or deletion.', { deletion: id.slice(0, 64) });
  return stored;
}

/** Returns a plan, with its notices as of now. */
export const getPlan = verb(
  { needs: 'instance.read', on: scopeToDeletion },
  async (_actor: Actor, id: string): Promise<DeletionPlan> => {
    const stored = await getDeletionOrThrow(id);
    return refreshPlanNotices(stored, (await getProtectedInstance(stored.plan.instanceId))?.settings ?? null);
  },
);

/** Returns the plan, the state, the counts, the job that runs or ran last, and the points of the live chart. */
export const getDeletion = verb(
  { needs: 'instance.read', on: scopeToDeletion },
  async (_actor: Actor, id: string): Promise<Deletion & { points: DeletionPoint[] }> => {
    const stored = await getDeletionOrThrow(id);
    return { ...(await toDeletion(stored)), points: stored.points };
  },
);

/** How many deletions are read at once: each takes several queries, and all verbs share ten connections. */
const DELETIONS_AT_ONCE = 2;

/** Returns the newest deletions first, of one instance or of all. */
export const listDeletions = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor, query: { instanceId?: string | undefined }): Promise<Deletion[]> => {
    const instanceIds = await listVisibleInstanceIds(actor);
    const stored = await listStoredDeletions({ ...query, instanceIds });
    const deletions: Deletion[] = [];
    for (let from = 0; from < stored.length; from += DELETIONS_AT_ONCE) {
      append(deletions, await Promise.all(stored.slice(from, from + DELETIONS_AT_ONCE).map(toDeletion)));
    }
    return deletions;
  },
);

/** Returns what has to happen before the deletion may continue, by the flags that its instance has now. */
async function describeRequirements(
  { plan, state, approval }: StoredDeletion,
  job: StoredJob | null,
): Promise<Pick<Deletion, 'plan' | 'missing' | 'needsApproval' | 'approval'>> {
  const settings = (await getProtectedInstance(plan.instanceId))?.settings ?? null;
  const agreed = state === 'planned' ? [] : listAgreedConsents(plan);
  const requiredConsents: Consent[] = settings ? listConsents(plan, settings) : [];
  const isOpen = state === 'planned' || (settings !== null && needsNewConsent(plan, settings, job));
  return {
    plan: refreshPlanNotices({ plan, state }, settings),
    missing: requiredConsents.filter((consent) => !agreed.includes(consent)),
    needsApproval: isOpen && (settings?.secondPerson ?? false),
    // For a deletion that was started, the approval is a record, however old it is.
    approval: isOpen ? findCurrentApproval(approval, plan, settings ?? { production: false }, Date.now()) : approval,
  };
}

/** Whether the instance may be written to is shown as it is now, not as it was when the plan was made. */
function refreshPlanNotices(
  { plan, state }: Pick<StoredDeletion, 'plan' | 'state'>,
  settings: { readOnly: boolean } | null,
): DeletionPlan {
  if (state !== 'planned' || settings === null) return plan;
  const others = plan.notices.filter(({ code }) => code !== 'read_only');
  return { ...plan, notices: settings.readOnly ? [createCodedMessage('read_only'), ...others] : others };
}

/** Whether a deletion was confirmed, its instance has changed since, and it would continue under the new flags. */
const needsNewConsent = (plan: DeletionPlan, settings: { production: boolean }, job: StoredJob | null): boolean =>
  (job?.job.state === 'paused' || job?.job.state === 'failed') &&
  isDeletingJob(job.job.kind, job.params) &&
  hasChangedSince(plan, settings);

/**
 * Returns the job that runs, otherwise one that is paused, otherwise the last one: a job may run that the row does not
 * name yet. null = there was none.
 */
async function findCurrentJob({ plan, jobId }: StoredDeletion): Promise<StoredJob | null> {
  const openJobs = await findJobsOfDeletion(plan.id, OPEN_STATES);
  const unfinishedJob = openJobs.find(({ job }) => job.state !== 'paused') ?? openJobs[0];
  return unfinishedJob ?? (jobId ? getStoredJob(jobId) : null);
}

async function toDeletion(stored: StoredDeletion): Promise<Deletion> {
  const { plan, summary } = stored;
  const now = await readUndoClock(plan.task);
  const [counts, sums, job] = await Promise.all([
    summary?.counts ?? countItems(plan.id),
    summary ? { ...summary, undoable: 0, undoUntil: null } : sumItems(plan.id, now),
    findCurrentJob(stored),
  ]);
  return {
    state: stored.state,
    ...(await describeRequirements(stored, job)),
    job: job?.job ?? null,
    action: job ? (job.params as DeletionParams).action : stored.action,
    counts,
    removedElements: sums.removed,
    archiveBytes: sums.archiveBytes,
    undoable: sums.undoable,
    undoUntil: toWallClock(sums.undoUntil, now),
    itemsRemovedAt: summary?.at ?? null,
    startedAt: stored.startedAt,
    endedAt: stored.endedAt,
  };
}
