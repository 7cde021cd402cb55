import { createCliActor } from '@/cli/cli-actor';
import { UsageError } from '@/cli/exit';
import { requireDatabase } from '@/cli/server-data';
import { safe } from '@/cli/units';
import { listUsers } from '@/lib/access/users/manage-users';
import { type Grant, ROLES } from '@/lib/model/access';
import { GrantShape } from '@/lib/model/access-shapes';
import type { User } from '@/lib/model/accounts/accounts';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';

export const formatGrant = ({ kind, value, role }: Grant): string => `${kind}:${safe(value)}=${role}`;

/** Parses `environment:staging=operator`. Throws UsageError. */
export function parseGrant(text: string): Grant {
  const [, kind, value, role] = /^(instance|tag|environment):(.+)=(\w+)$/.exec(text) ?? [];
  const grant = GrantShape.safeParse({ kind, value, role });
  if (!grant.success)
    throw new UsageError(`--grant "${text}" is not of the form instance|tag|environment:VALUE=viewer|operator|admin.`);
  return grant.data;
}

/** Maps the kind of a value to a sentence that says what is allowed. */
const ALLOWED = {
  role: ` Roles are ${ROLES.join(', ')}.`,
  name: ' Letters, digits and . _ @ + - are allowed.',
  'name of a token': ' Letters, digits, spaces and . _ @ + : / - are allowed, 64 at most.',
};

/** Parses a value of the command line with a schema. Throws UsageError, which says what is allowed. */
export function parseShape<T>(
  shape: { safeParse(value: unknown): { success: boolean; data?: T } },
  value: string,
  what: keyof typeof ALLOWED,
): T {
  const { success, data } = shape.safeParse(value);
  if (success) return data as T;
  throw new UsageError(`"${value}" is not a ${what}.${ALLOWED[what]}`);
}

export async function findUserByName(name: string): Promise<User> {
  requireDatabase();
  const found = (await listUsers(createCliActor())).find((user) => user.name.toLowerCase() === name.toLowerCase());
  if (!found) throw new AppError('not_found', `There is no user ${safe(name)} in ${config.dataDir}.`);
  return found;
}
