/** What a person may do, in steps; `none` = nothing but where a grant says more. */
export const ROLES = ['none', 'viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** More than the person's own role, on one instance or on all with a tag or of an environment. */
export interface Grant {
  kind: 'instance' | 'tag' | 'environment';
  /** Id of the instance, or the tag or environment as the instance has it. */
  value: string;
  role: Exclude<Role, 'none'>;
}

/**
 * Every permission there is, with the least role that has it. `none`: whoever is signed in; what they get is limited by
 * the verb to what they may see.
 */
export const PERMISSIONS = {
  /** One's own account, the standards, lists of what one may see. */
  'account.use': 'none',
  'instance.read': 'viewer',
  'audit.read': 'viewer',
  /** Bytes of values: previews, what a deletion has archived, value samples (lib/auth/value-reads.ts). */
  'value.read': 'operator',
  'scan.run': 'operator',
  'job.control': 'operator',
  'snapshot.remove': 'operator',
  'policy.edit': 'operator',
  'deletion.run': 'operator',
  /** As the second person of a plan. */
  'deletion.approve': 'operator',
  'stop.set': 'operator',
  'stop.clear': 'admin',
  /** Ends what a deletion holds without bringing it back, or lets it go on with another server. */
  'deletion.override': 'admin',
  'policy.assign': 'admin',
  'profile.manage': 'admin',
  'instance.manage': 'admin',
  'user.manage': 'admin',
  /** Signing in and out, one's password, sessions and tokens. */
  'account.manage': 'none',
} as const satisfies Record<string, Role>;
export type Permission = keyof typeof PERMISSIONS;

/**
 * Never by a token, whatever its role: who holds one could make another way in that outlives it, and a second person
 * is a person.
 */
export const IN_PERSON: ReadonlySet<Permission> = new Set<Permission>([
  'account.manage',
  'user.manage',
  'deletion.approve',
]);

/** Of an instance, what grants go by. */
export interface Granted {
  id: string;
  tags: readonly string[];
  environment: string;
}
/** Of a person, what decides. */
export interface RoleHolder {
  role: Role;
  grants?: readonly Grant[] | undefined;
  /** A token and its owner: everywhere the lower of what they have. `role` is the lower of their own ones. */
  lowerOf?: readonly { role: Role; grants: readonly Grant[] }[] | undefined;
}

const rank = (role: Role) => ROLES.indexOf(role);
export const lowerRole = (one: Role, other: Role): Role => (rank(other) < rank(one) ? other : one);

/** The role of somebody on an instance: their own, or the highest granted there. By a token the lower of two. */
export function roleOn({ role, grants = [], lowerOf }: RoleHolder, instance: Granted): Role {
  if (lowerOf) return lowerOf.map((one) => roleOn(one, instance)).reduce(lowerRole, 'admin');
  const given = grants.filter(({ kind, value }) => {
    if (kind === 'instance') return value === instance.id;
    return kind === 'tag' ? instance.tags.includes(value) : value === instance.environment;
  });
  return [role, ...given.map((grant) => grant.role)].reduce((best, one) => (rank(one) > rank(best) ? one : best));
}

export const allows = (role: Role, permission: Permission): boolean => rank(role) >= rank(PERMISSIONS[permission]);

/** On that instance, or without one for everything. */
export function may(holder: RoleHolder, permission: Permission, instance?: Granted | null): boolean {
  return allows(instance ? roleOn(holder, instance) : holder.role, permission);
}
