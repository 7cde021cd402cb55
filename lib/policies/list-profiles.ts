import { verb } from '@/lib/access/auth/verb';
import { createVisibilityFilter, scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { createValueComparison } from '@/lib/model/reports/table-order';
import type { Profile } from '@/lib/model/rules/policy';
import { presets, toPresetProfile } from '@/lib/rules/profiles/presets';
import { listProfileRows } from '@/lib/store/policies/profiles';
import { listProfileUsers } from './profile-in-use';

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
