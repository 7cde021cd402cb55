import { allows, roleOn } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { getStoredDeletion } from '@/lib/store/deletions/deletions';
import { listInstanceRows } from '@/lib/store/instances';
import { getStoredJob } from '@/lib/store/jobs';
import { getSnapshotRow } from '@/lib/store/snapshots';
import type { VerbScope } from './verb';

/** The scopes that declarations are made of: which instance is meant by an id. */
export const house = (): VerbScope => 'house';
export const own = (): VerbScope => 'own';
export const ofInstance = (instanceId: string | null): VerbScope => ({ instanceId });

export async function ofJob(id: string): Promise<VerbScope | null> {
  const stored = await getStoredJob(id);
  return stored && { instanceId: stored.job.instanceId };
}
export async function ofSnapshot(id: string): Promise<VerbScope | null> {
  const row = await getSnapshotRow(id);
  return row && { instanceId: row.instanceId };
}
export async function ofDeletion(id: string): Promise<VerbScope | null> {
  const stored = await getStoredDeletion(id);
  return stored && { instanceId: stored.plan.instanceId };
}

/** For lists: which instances somebody may see. What concerns none is for those who may see all. */
export async function visibleInstances(actor: Actor): Promise<(instanceId: string | null) => boolean> {
  if (allows(actor.role, 'instance.read')) return () => true;
  const rows = await listInstanceRows();
  const seen = rows.filter(({ id, settings }) => allows(roleOn(actor, { id, ...settings }), 'instance.read'));
  const ids = new Set(seen.map(({ id }) => id));
  return (instanceId) => instanceId !== null && ids.has(instanceId);
}
