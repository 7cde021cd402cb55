import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToInstance } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { SavedView, SavedViewInput, SavedViewUpdate } from '@/lib/model/saved-view';
import { generateId } from '@/lib/store/generate-id';
import { getInstanceRow } from '@/lib/store/instances';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { deleteViewRow, insertViewRow, listViewRows, updateViewRow } from '@/lib/store/saved-views';
import type { SavedViewsTable } from '@/lib/store/tables';
import { assertNameIsFree, findViewInstance, mayShare, requireView, toView } from './find-view';

/**
 * Limits per instance: number of shared views, and of personal views of each person. Personal views are limited per
 * person, because nobody else can remove them.
 */
const MAX_SHARED = 200;
const MAX_PERSONAL = 50;

/** A person's own views of an instance and the shared ones, sorted by name. */
export const listViews = verb(
  { needs: 'instance.read', on: scopeToInstance },
  async (actor: Actor, instanceId: string): Promise<SavedView[]> => {
    if ((await getInstanceRow(instanceId)) === null)
      throw new AppError('not_found', 'There is no such instance.', { id: instanceId });
    const rows = await listViewRows(instanceId);
    return rows.filter((row) => row.shared === 1 || row.user_id === actor.id).map((row) => toView(actor, row));
  },
);

export const getView = verb(
  { needs: 'instance.read', on: findViewInstance },
  async (actor: Actor, id: string): Promise<SavedView> => toView(actor, await requireView(actor, id)),
);

/** Errors: `not_found` (instance), `conflict` (the person has one of that name), `too_large`. */
export const saveView = verb(
  {
    needs: 'instance.read',
    on: (instanceId: string, _input: SavedViewInput) => scopeToInstance(instanceId),
    action: 'view.create',
    subject: (_instanceId: string, { name }: SavedViewInput) => name,
  },
  async (actor: Actor, instanceId: string, input: SavedViewInput): Promise<SavedView> => {
    const { name, shared, ...body } = input;
    if (shared) await mayShare(actor, instanceId, name);
    const row = {
      id: generateId(),
      instance_id: instanceId,
      user_id: actor.id,
      user_name: actor.name,
      name,
      shared: shared ? 1 : 0,
      body: JSON.stringify(body),
      created_at: Date.now(),
    };
    await runTransaction(async (tx) => {
      if ((await getInstanceRow(instanceId, tx)) === null)
        throw new AppError('not_found', 'There is no such instance.', { id: instanceId });
      await assertNameIsFree({ instanceId, userId: actor.id, name }, null, tx);
      await assertRoom(row, tx);
      await recordAudit(tx, { actor, action: 'view.create', subject: name, instanceId, details: { shared } });
      await insertViewRow(row, tx);
    });
    return toView(actor, row);
  },
);

/**
 * Errors: `not_found`, `conflict`, `forbidden` (for another person's view, for sharing, or for changing a shared view,
 * without the permission).
 */
export const updateView = verb(
  { needs: 'instance.read', on: findViewInstance, action: 'view.update' },
  async (actor: Actor, id: string, change: SavedViewUpdate): Promise<SavedView> => {
    const before = await requireView(actor, id);
    const { instance_id: instanceId, user_id: userId } = before;
    const { name = before.name, shared = before.shared === 1, ...content } = change;
    const replaces = Object.keys(content).length > 0;
    // A person may lose the permission to share while the view stays shared. Others still see it, so its content must
    // not change.
    if (userId !== actor.id || (shared && (replaces || before.shared !== 1)))
      await mayShare(actor, instanceId, before.name);
    return runTransaction(async (tx) => {
      // The view may have been removed since it was read; saving must not create it again.
      const was = await requireView(actor, id, tx);
      const body = replaces ? JSON.stringify({ ...(JSON.parse(was.body) as object), ...content }) : was.body;
      const row = { ...was, name, shared: shared ? 1 : 0, body };
      if (row.shared !== was.shared) await assertRoom(row, tx);
      await assertNameIsFree({ instanceId, userId, name }, id, tx);
      const details = { shared, ...(replaces && { page: toView(actor, row).page }) };
      await recordAudit(tx, { actor, action: 'view.update', subject: name, instanceId, details });
      await updateViewRow(id, { name, shared: row.shared, body }, tx);
      return toView(actor, row);
    });
  },
);

export const removeView = verb(
  { needs: 'instance.read', on: findViewInstance, action: 'view.remove' },
  async (actor: Actor, id: string): Promise<{ id: string }> => {
    const before = await requireView(actor, id);
    if (before.user_id !== actor.id) await mayShare(actor, before.instance_id, before.name);
    await runTransaction(async (tx) => {
      const { name, instance_id: instanceId, shared } = await requireView(actor, id, tx);
      const details = { shared: shared === 1 };
      await recordAudit(tx, { actor, action: 'view.remove', subject: name, instanceId, details });
      await deleteViewRow(id, tx);
    });
    return { id };
  },
);

/** Throws `too_large` if there are as many views of this sort as there may be. */
async function assertRoom(
  { instance_id: instanceId, user_id: userId, shared }: SavedViewsTable,
  tx: Tx,
): Promise<void> {
  const rows = await listViewRows(instanceId, tx);
  const others = rows.filter((row) => row.shared === shared && (shared === 1 || row.user_id === userId)).length;
  if (shared === 1 && others >= MAX_SHARED)
    throw new AppError('too_large', `This instance has ${MAX_SHARED} shared views already. Remove one first.`);
  if (shared !== 1 && others >= MAX_PERSONAL)
    throw new AppError('too_large', `You have ${MAX_PERSONAL} views of this instance already. Remove one first.`);
}
