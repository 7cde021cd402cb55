import { verb } from '@/lib/access/auth/verb';
import { own, visibleInstances } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { valueComparison } from '@/lib/model/reports/table-order';
import type { Profile } from '@/lib/model/rules/policy';
import { presetProfile, presets } from '@/lib/rules/profiles/presets';
import { listProfileRows } from '@/lib/store/policies/profiles';
import { usersOfProfiles } from './profile-in-use';

/** Returns the presets first, then the team's own profiles by name. */
export const listProfiles = verb({ needs: 'account.use', on: own }, async (actor: Actor): Promise<Profile[]> => {
  const users = await usersOfProfiles();
  const sees = await visibleInstances(actor);
  const byName = valueComparison('en');
  const usedBy = (id: string) => (users.get(id) ?? []).filter((user) => sees(user.id));
  const own = (await listProfileRows()).map(({ id, body, updatedAt }) => ({
    id,
    preset: false,
    body,
    usedBy: usedBy(id),
    updatedAt,
  }));
  return [
    ...[...presets].map(([id, body]) => ({ ...presetProfile(id, body), usedBy: usedBy(id) })),
    ...own.toSorted((one, other) => byName(one.body.name, other.body.name)),
  ];
});
