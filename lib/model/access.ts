/** The roles of a person, from lowest to highest; `none` = only the rights of grants. */
export const ROLES = ['none', 'viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Gives a higher role than the person's own on one instance, or on all with a tag or of an environment. */
export interface Grant {
  kind: 'instance' | 'tag' | 'environment';
  /** Id of the instance, or the tag or environment as the instance has it. */
  value: string;
  role: Exclude<Role, 'none'>;
}

/**
 * All permissions, each with the lowest role that has it. `none` = everyone who is signed in; the verb then returns
 * only what that person may see.
 */
export const PERMISSIONS = {
  /** The person's own account, the standards, and lists of what the person may see. */
  'account.use': 'none',
  'instance.read': 'viewer',
  'audit.read': 'viewer',
  /** Bytes of values: previews, archives of deletions, value samples (lib/access/auth/value-reads.ts). */
  'value.read': 'operator',
  'scan.run': 'operator',
  'job.control': 'operator',
  'snapshot.remove': 'operator',
  'policy.edit': 'operator',
  'deletion.run': 'operator',
  /** Approving a plan as its second person. */
  'deletion.approve': 'operator',
  'stop.set': 'operator',
  'stop.clear': 'admin',
  /** Giving up what a deletion still holds without restoring it, or accepting another server for it. */
  'deletion.override': 'admin',
  'policy.assign': 'admin',
  'profile.manage': 'admin',
  'instance.manage': 'admin',
  'user.manage': 'admin',
  /** Signing in and out, and the person's own password, sessions and tokens. */
  'account.manage': 'none',
} as const satisfies Record<string, Role>;
export type Permission = keyof typeof PERMISSIONS;

/**
 * Permissions that a token never has, whatever its role: its holder could create another access that outlives the
 * token, and a second person must be a person.
 */
export const PERMISSIONS_WITHOUT_TOKENS: ReadonlySet<Permission> = new Set<Permission>([
  'account.manage',
  'user.manage',
  'deletion.approve',
]);

/** The fields of an instance that grants refer to. */
export interface GrantTarget {
  id: string;
  tags: readonly string[];
  environment: string;
}
/** The fields of a person that decide about permissions. */
interface RoleHolder {
  role: Role;
  grants?: readonly Grant[] | undefined;
  /**
   * Set for a token: it and its owner, of which the lower role applies everywhere. `role` is the lower of their own
   * roles.
   */
  tokenAndOwner?: readonly { role: Role; grants: readonly Grant[] }[] | undefined;
}

const rank = (role: Role) => ROLES.indexOf(role);
export const pickLowerRole = (one: Role, other: Role): Role => (rank(other) < rank(one) ? other : one);

/**
 * Returns the role on an instance: the person's own, or the highest one granted there. A token has the lower of its own
 * role there and that of its owner.
 */
export function getRoleOn({ role, grants = [], tokenAndOwner }: RoleHolder, instance: GrantTarget): Role {
  if (tokenAndOwner) return tokenAndOwner.map((one) => getRoleOn(one, instance)).reduce(pickLowerRole, 'admin');
  const given = grants.filter(({ kind, value }) => {
    if (kind === 'instance') return value === instance.id;
    return kind === 'tag' ? instance.tags.includes(value) : value === instance.environment;
  });
  return [role, ...given.map((grant) => grant.role)].reduce((best, one) => (rank(one) > rank(best) ? one : best));
}

export const roleAllows = (role: Role, permission: Permission): boolean => rank(role) >= rank(PERMISSIONS[permission]);

/** Whether the permission is given on that instance, or, without an instance, on everything. */
export function may(holder: RoleHolder, permission: Permission, instance?: GrantTarget | null): boolean {
  return roleAllows(instance ? getRoleOn(holder, instance) : holder.role, permission);
}
