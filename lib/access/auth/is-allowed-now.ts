import { may, type Permission } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { findValueRefusal, type ValueReadSettings } from '@/lib/model/value-reason';
import { getProtectedInstance } from '@/lib/store/nodes/instance-nodes';

/**
 * Whether the rights of an actor still cover an instance, for work that takes long. They depend on its tags and
 * environment, which may have changed since the work began. For an instance that was removed, the actor's own role
 * counts.
 */
export async function isAllowedNow(actor: Actor, needs: Permission, instanceId: string): Promise<boolean> {
  const instance = await getProtectedInstance(instanceId);
  return may(actor, needs, instance && { id: instance.id, ...instance.settings });
}

/** Whether values may still be read, with the reason that was given. */
export async function areValuesAllowedNow(
  actor: Actor,
  instanceId: string,
  reason: string | null,
  rules?: ValueReadSettings,
): Promise<boolean> {
  if (rules && findValueRefusal(rules, reason) !== null) return false;
  const instance = await getProtectedInstance(instanceId);
  if (instance && findValueRefusal(instance.settings, reason) !== null) return false;
  return isAllowedNow(actor, 'value.read', instanceId);
}
