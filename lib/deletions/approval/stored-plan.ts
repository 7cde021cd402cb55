import { AppError } from '@/lib/model/errors';
import { getStoredDeletion, type StoredDeletion } from '@/lib/store/deletions/deletions';
import type { Tx } from '@/lib/store/open-store';

/** The plan, if it is still the one that was seen. Errors: `not_found`, `conflict`. */
export async function planAsSeen(id: string, planCreatedAt: number, tx: Tx): Promise<StoredDeletion> {
  const stored = await getStoredDeletion(id, tx);
  if (!stored) throw new AppError('not_found', 'There is no such plan.', { deletion: id.slice(0, 64) });
  const { plan, state } = stored;
  if (state !== 'planned')
    throw new AppError('conflict', `This plan has been decided: it is ${state}.`, { deletion: id, state });
  if (plan.replacing !== undefined || plan.createdAt !== planCreatedAt)
    throw new AppError('conflict', 'This plan was made anew meanwhile. Look at it again.', { deletion: id });
  return stored;
}
