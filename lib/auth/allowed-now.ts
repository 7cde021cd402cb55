import { may, type Permission } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { refusesValues, type ValueRules } from '@/lib/model/value-reason';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';

/**
 * For what lasts: whether the rights of somebody still reach an instance. They go by its tags and environment, which
 * may have been changed since it was begun. Of an instance that is removed the person's own role counts.
 */
export async function isAllowedNow(actor: Actor, needs: Permission, instanceId: string): Promise<boolean> {
  const instance = await getProtectedInstance(instanceId);
  return may(actor, needs, instance && { id: instance.id, ...instance.settings });
}

/** The same for values, with the reason that was given. */
export async function areValuesAllowedNow(
  actor: Actor,
  instanceId: string,
  reason: string | null,
  rules?: ValueRules,
): Promise<boolean> {
  if (rules && refusesValues(rules, reason) !== null) return false;
  const instance = await getProtectedInstance(instanceId);
  if (instance && refusesValues(instance.settings, reason) !== null) return false;
  return isAllowedNow(actor, 'value.read', instanceId);
}
