import { type Grant, pickLowerRole, type Role } from '@/lib/model/access';
import type { Identity, Provider, ProviderRights } from '@/lib/model/accounts/oidc';

const pickHigherRole = (one: Role, other: Role): Role => (pickLowerRole(one, other) === one ? other : one);

/** Returns the combined rights of a person's groups; null = the person is not admitted. */
export function combineGroupRights(provider: Provider, { groups }: Pick<Identity, 'groups'>): ProviderRights | null {
  const has = new Set(groups);
  const found = provider.groups.filter(({ group }) => has.has(group));
  if (found.length === 0 && provider.admit === 'groups') return null;
  const grants = new Map<string, Grant>();
  for (const grant of found.flatMap((one) => one.grants)) {
    const key = `${grant.kind} ${grant.value}`;
    const before = grants.get(key);
    if (before === undefined || pickHigherRole(before.role, grant.role) === grant.role) grants.set(key, grant);
  }
  return {
    role: found.map(({ role }) => role).reduce(pickHigherRole, provider.role),
    grants: [...grants.values()],
    teams: [...new Set(found.flatMap((one) => one.teams))],
  };
}
