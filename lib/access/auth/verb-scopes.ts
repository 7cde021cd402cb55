import { getRoleOn, roleAllows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { getStoredDeletion } from '@/lib/store/deletions/deletions';
import { listGrantTargets } from '@/lib/store/instances';
import { findJob } from '@/lib/store/jobs';
import { getSnapshotRow } from '@/lib/store/snapshots';
import type { VerbScope } from './verb';

/** Functions that declarations of verbs use: they return which instance an id belongs to. */
export const scopeToAll = (): VerbScope => 'everywhere';
export const scopeToOwn = (): VerbScope => 'own';
export const scopeToInstance = (instanceId: string | null): VerbScope => ({ instanceId });

export async function scopeToJob(id: string): Promise<VerbScope | null> {
  const job = await findJob(id);
  return job && { instanceId: job.instanceId };
}
export async function scopeToSnapshot(id: string): Promise<VerbScope | null> {
  const row = await getSnapshotRow(id);
  return row && { instanceId: row.instanceId };
}
export async function scopeToDeletion(id: string): Promise<VerbScope | null> {
  const stored = await getStoredDeletion(id);
  return stored && { instanceId: stored.plan.instanceId };
}

/**
 * Returns a filter for lists: whether the actor may see an instance. Items of no instance (null) are only for those who
 * may see all.
 */
export async function createVisibilityFilter(
  actor: Actor,
  among?: readonly string[],
): Promise<(instanceId: string | null) => boolean> {
  const ids = await listVisibleInstanceIds(actor, among);
  if (ids === undefined) return () => true;
  const seen = new Set(ids);
  return (instanceId) => instanceId !== null && seen.has(instanceId);
}

/**
 * Returns the ids of the instances that the actor may see, for queries with a limit, which filtering afterwards would
 * leave with too few rows. undefined = all. `among`: only these are checked.
 */
export async function listVisibleInstanceIds(actor: Actor, among?: readonly string[]): Promise<string[] | undefined> {
  if (roleAllows(actor.role, 'instance.read')) return undefined;
  const instances = await listGrantTargets(among);
  return instances.filter((one) => roleAllows(getRoleOn(actor, one), 'instance.read')).map(({ id }) => id);
}
