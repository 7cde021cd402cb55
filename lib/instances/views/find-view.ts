import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { SavedView } from '@/lib/model/saved-view';
import type { Tx } from '@/lib/store/open-store';
import { getViewRow, listViewRows } from '@/lib/store/saved-views';
import type { SavedViewsTable } from '@/lib/store/tables';

/** The instance of a view, for permission checks on the view; null = there is no such view. */
export async function findViewInstance(id: string) {
  const row = await getViewRow(id);
  return row && scopeToInstance(row.instance_id);
}

export const toView = (actor: Actor, row: SavedViewsTable): SavedView => ({
  ...(JSON.parse(row.body) as Pick<SavedView, 'page' | 'search' | 'columns'>),
  id: row.id,
  instanceId: row.instance_id,
  name: row.name,
  shared: row.shared === 1,
  by: row.user_name,
  own: row.user_id === actor.id,
  createdAt: row.created_at,
});

/** Throws `not_found` if there is no such view or it is a personal view of another person. */
export async function requireView(actor: Actor, id: string, tx?: Tx): Promise<SavedViewsTable> {
  const row = await getViewRow(id, tx);
  if (row === null || (row.shared !== 1 && row.user_id !== actor.id))
    throw new AppError('not_found', 'There is no such view. It may have been removed, or is not shared.', { id });
  return row;
}

export async function assertNameIsFree(
  { instanceId, userId, name }: { instanceId: string; userId: string; name: string },
  except: string | null,
  tx: Tx,
): Promise<void> {
  const rows = await listViewRows(instanceId, tx);
  if (rows.some((row) => row.user_id === userId && row.name === name && row.id !== except))
    throw new AppError('conflict', `You have a view called ${name} of this instance already. Choose another name.`, {
      field: 'name',
    });
}

/** Permission to create, change or remove shared views: that of people who decide about an instance. */
export const mayShare = verb(
  {
    needs: 'policy.edit',
    on: (instanceId: string, _name: string) => scopeToInstance(instanceId),
    action: 'view.share',
    subject: (_instanceId: string, name: string) => name,
  },
  async (_actor: Actor, _instanceId: string, _name: string): Promise<void> => {},
);
