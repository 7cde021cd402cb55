import { listInstanceRows } from '@/lib/store/instances';
import type { Tx } from '@/lib/store/open-store';
import { listAssignmentRows } from '@/lib/store/policies/assignments';

/** Returns the instances that are checked against each profile, by its id, also if only for some prefixes. */
export async function listProfileUsers(tx?: Tx): Promise<Map<string, { id: string; name: string }[]>> {
  const [instances, assignments] = [await listInstanceRows(tx), await listAssignmentRows(tx)];
  const assigned = new Map(assignments.map((a) => [a.instanceId, a.assignment]));
  const users = new Map<string, { id: string; name: string }[]>();
  for (const { id, settings } of instances) {
    const assignment = assigned.get(id);
    const ids = new Set([assignment?.profileId ?? 'default', ...(assignment?.prefixes.map((p) => p.profileId) ?? [])]);
    for (const profile of ids) users.set(profile, [...(users.get(profile) ?? []), { id, name: settings.name }]);
  }
  return users;
}
