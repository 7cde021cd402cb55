import { verb } from '@/lib/access/auth/verb';
import { createVisibilityFilter, scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { createValueComparison } from '@/lib/model/reports/table-order';
import type { Profile } from '@/lib/model/rules/policy';
import { presets, toPresetProfile } from '@/lib/rules/profiles/presets';
import { listInstanceRows } from '@/lib/store/instances';
import type { Tx } from '@/lib/store/open-store';
import { listAssignmentRows } from '@/lib/store/policies/assignments';
import { listProfileRows } from '@/lib/store/policies/profiles';

/** Returns the presets first, then the team's own profiles by name. */
export const listProfiles = verb({ needs: 'account.use', on: scopeToOwn }, async (actor: Actor): Promise<Profile[]> => {
  const users = await listProfileUsers();
  const sees = await createVisibilityFilter(actor);
  const byName = createValueComparison('en');
  const usedBy = (id: string) => (users.get(id) ?? []).filter((user) => sees(user.id));
  const own = (await listProfileRows()).map(({ id, body, updatedAt }) => ({
    id,
    preset: false,
    body,
    usedBy: usedBy(id),
    updatedAt,
  }));
  return [
    ...[...presets].map(([id, body]) => ({ ...toPresetProfile(id, body), usedBy: usedBy(id) })),
    ...own.toSorted((one, other) => byName(one.body.name, other.body.name)),
  ];
});

/** Returns one profile by its id. Errors: `not_found`. */
export const getProfile = verb(
  { needs: 'account.use', on: scopeToOwn },
  async (actor: Actor, id: string): Promise<Profile> => {
    const found = (await listProfiles(actor)).find((profile) => profile.id === id);
    if (!found) throw new AppError('not_found', 'There is no such profile.', { id });
    return found;
  },
);

/** Returns the instances that are checked against each profile, by its id, also if only for some prefixes. */
export async function listProfileUsers(tx?: Tx): Promise<Map<string, { id: string; name: string }[]>> {
  const [instances, assignments] = [await listInstanceRows(tx), await listAssignmentRows(tx)];
  const assigned = new Map(assignments.map(({ instanceId, assignment }) => [instanceId, assignment]));
  const users = new Map<string, { id: string; name: string }[]>();
  for (const { id, settings } of instances) {
    const assignment = assigned.get(id);
    const ids = new Set([
      assignment?.profileId ?? 'default',
      ...(assignment?.prefixes.map(({ profileId }) => profileId) ?? []),
    ]);
    for (const profile of ids) users.set(profile, [...(users.get(profile) ?? []), { id, name: settings.name }]);
  }
  return users;
}
