import type { Actor } from '@/lib/model/actor';
import type { Deletion, DeletionPlan, DeletionPoint } from '@/lib/model/deletion';
import { AppError } from '@/lib/model/errors';
import { countItems, sumItems } from '@/lib/store/deletion-items';
import { getStoredDeletion, listStoredDeletions, type StoredDeletion } from '@/lib/store/deletions';
import { getStoredJob } from '@/lib/store/jobs';

export async function deletionOrThrow(id: string): Promise<StoredDeletion> {
  const stored = await getStoredDeletion(id);
  if (!stored) throw new AppError('not_found', 'There is no such plan or deletion.', { deletion: id.slice(0, 64) });
  return stored;
}

export async function getPlan(_actor: Actor, id: string): Promise<DeletionPlan> {
  return (await deletionOrThrow(id)).plan;
}

/** Plan, state, counts, the job that runs or ran last, and the curve of the live page. */
export async function getDeletion(_actor: Actor, id: string): Promise<Deletion & { points: DeletionPoint[] }> {
  const stored = await deletionOrThrow(id);
  return { ...(await told(stored)), points: stored.points };
}

/** Newest first; of one instance, or of all. */
export async function listDeletions(_actor: Actor, query: { instanceId?: string | undefined }): Promise<Deletion[]> {
  return Promise.all((await listStoredDeletions(query)).map(told));
}

async function told(stored: StoredDeletion): Promise<Deletion> {
  const { plan } = stored;
  const [counts, sums, job] = await Promise.all([
    countItems(plan.id),
    sumItems(plan.id, Date.now()),
    stored.jobId ? getStoredJob(stored.jobId) : null,
  ]);
  return {
    plan,
    state: stored.state,
    job: job?.job ?? null,
    action: stored.action,
    counts,
    removedElements: sums.removed,
    archiveBytes: sums.archiveBytes,
    undoable: sums.undoable,
    undoUntil: sums.undoUntil,
    startedAt: stored.startedAt,
    endedAt: stored.endedAt,
  };
}
