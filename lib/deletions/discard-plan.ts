import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToDeletion } from '@/lib/access/auth/verb-scopes';
import { type Actor, ENGINE } from '@/lib/model/actor';
import { findCurrentApproval } from '@/lib/model/deletions/approval';
import { AppError } from '@/lib/model/errors';
import {
  deleteItems,
  deletePlanned,
  findOrphanItems,
  listStoredDeletions,
  type StoredDeletion,
} from '@/lib/store/deletions/deletions';
import { formatIdTime } from '@/lib/store/generate-id';
import { runTransaction } from '@/lib/store/open-store';
import { getDeletionOrThrow } from './get-deletion';

/** A plan that nobody confirmed is deleted after this many ms. */
const KEEP_PLAN_MS = 24 * 3_600_000;
/** After this time, in ms, a plan whose list is being replaced counts as interrupted: replacing never takes so long. */
const MAX_REPLACE_MS = 15 * 60_000;

/** Deletes a plan that was not confirmed. Errors: `conflict` once it was. */
export const discardPlan = verb(
  { needs: 'deletion.run', on: scopeToDeletion, action: 'deletion.discard' },
  async (actor: Actor, id: string): Promise<void> => {
    const { plan, state } = await getDeletionOrThrow(id);
    const createConfirmedError = () =>
      new AppError('conflict', 'The plan was confirmed: it stays on record.', { deletion: id });
    if (state !== 'planned') throw createConfirmedError();
    await runTransaction(async (tx) => {
      const details = { keys: plan.totals.keys };
      await recordAudit(tx, { action: 'deletion.discard', subject: id, instanceId: plan.instanceId, actor, details });
      // Somebody may have confirmed the plan since it was read: its items are then the only record of what is being
      // deleted.
      if (!(await deletePlanned(id, tx))) throw createConfirmedError();
    });
    await deleteItems(id);
  },
);

/** Whether a plan is deleted: it is old and no approval is open, or its list was not replaced completely. */
const isExpired = ({ plan, approval }: StoredDeletion, now: number) => {
  const { createdAt, replacing } = plan;
  const current = findCurrentApproval(approval, plan, { production: false }, now);
  const isOld = now - createdAt > KEEP_PLAN_MS && (current === null || current.state === 'rejected');
  return isOld || (replacing !== undefined && now - replacing > MAX_REPLACE_MS);
};

/**
 * Deletes an expired plan. If its approval was requested or given and not used, that is recorded. Returns false if
 * somebody has confirmed it meanwhile.
 */
async function expirePlan(stored: StoredDeletion): Promise<boolean> {
  const { plan, approval } = stored;
  return runTransaction(async (tx) => {
    if (!(await deletePlanned(plan.id, tx))) return false;
    if (approval === null) return true;
    const { state, requestedBy } = approval;
    const entry = { action: 'deletion.expire_approval', subject: plan.id, instanceId: plan.instanceId };
    await recordAudit(tx, { ...entry, actor: ENGINE, details: { was: state, requestedBy: requestedBy.name } });
    return true;
  });
}

/** Deletes expired plans, and items whose plan is gone. Called every few seconds. */
export async function sweepPlans(now = Date.now()): Promise<void> {
  for (const stored of await listStoredDeletions({ states: ['planned'], limit: 1000 }))
    if (isExpired(stored, now) && (await expirePlan(stored))) await deleteItems(stored.plan.id);
  for (const id of await findOrphanItems(formatIdTime(now - KEEP_PLAN_MS))) await deleteItems(id);
}
