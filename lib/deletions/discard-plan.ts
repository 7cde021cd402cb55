import { recordAudit } from '@/lib/audit/record';
import { verb } from '@/lib/auth/verb';
import { ofDeletion } from '@/lib/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import { AppError } from '@/lib/model/errors';
import { deleteItems, deletePlanned, findOrphanItems, listStoredDeletions } from '@/lib/store/deletions/deletions';
import { timeOfId } from '@/lib/store/new-id';
import { transaction } from '@/lib/store/open-store';
import { deletionOrThrow } from './get-deletion';

/** A plan nobody confirmed goes after this time by itself. */
const KEEP_MS = 24 * 3_600_000;
/** Nobody takes so long to put another list in its place: whoever began it was cut off. */
const REPLACE_MS = 15 * 60_000;

/** Forgets a plan that was not confirmed. Errors: `conflict` once it was. */
export const discardPlan = verb(
  { needs: 'deletion.run', on: ofDeletion, action: 'deletion.discard' },
  async (actor: Actor, id: string): Promise<void> => {
    const { plan, state } = await deletionOrThrow(id);
    const entry = { action: 'deletion.discard', subject: id, instanceId: plan.instanceId };
    const confirmed = () => new AppError('conflict', 'The plan was confirmed: it stays on record.', { deletion: id });
    if (state !== 'planned') throw confirmed();
    await transaction(async (tx) => {
      await recordAudit(tx, { ...entry, actor, details: { keys: plan.totals.keys } });
      // Somebody may have confirmed it since: its items are the only record of what is being removed.
      if (!(await deletePlanned(id, tx))) throw confirmed();
    });
    await deleteItems(id);
  },
);

const isOver = ({ createdAt, replacing }: DeletionPlan, now: number) =>
  now - createdAt > KEEP_MS || (replacing !== undefined && now - replacing > REPLACE_MS);

export async function sweepPlans(now = Date.now()): Promise<void> {
  for (const { plan } of await listStoredDeletions({ states: ['planned'], limit: 1000 }))
    if (isOver(plan, now) && (await transaction((tx) => deletePlanned(plan.id, tx)))) await deleteItems(plan.id);
  for (const id of await findOrphanItems(timeOfId(now - KEEP_MS))) await deleteItems(id);
}
