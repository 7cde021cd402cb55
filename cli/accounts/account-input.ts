import { userInfo } from 'node:os';
import { UsageError } from '@/cli/exit';
import { requireDatabase } from '@/cli/server-data';
import { safe } from '@/cli/units';
import { listUsers } from '@/lib/access/users/list-users';
import { type Grant, ROLES } from '@/lib/model/access';
import { GrantShape } from '@/lib/model/access-shapes';
import type { User } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { config } from '@/lib/runtime/config';

/**
 * Everybody who may write the data folder may run these commands. The audit log records the account of the operating
 * system.
 */
export const createCliActor = (): Actor => ({
  id: 'cli',
  name: `${userInfo().username} (cli)`,
  role: 'admin',
  via: 'cli',
});

export const formatGrant = ({ kind, value, role }: Grant): string => `${kind}:${safe(value)}=${role}`;

/** Parses `environment:staging=operator`. Throws UsageError. */
export function parseGrant(text: string): Grant {
  const [, kind, value, role] = /^(instance|tag|environment):(.+)=(\w+)$/.exec(text) ?? [];
  const grant = GrantShape.safeParse({ kind, value, role });
  if (!grant.success)
    throw new UsageError(`--grant "${text}" is not of the form instance|tag|environment:VALUE=viewer|operator|admin.`);
  return grant.data;
}

const KNOWN = {
  role: ` Roles are ${ROLES.join(', ')}.`,
  name: ' Letters, digits and . _ @ + - are allowed.',
  'name of a token': ' Letters, digits, spaces and . _ @ + : / - are allowed, 64 at most.',
};

export function parseShape<T>(
  shape: { safeParse(value: unknown): { success: boolean; data?: T } },
  value: string,
  what: keyof typeof KNOWN,
): T {
  const { success, data } = shape.safeParse(value);
  if (success) return data as T;
  throw new UsageError(`"${value}" is not a ${what}.${KNOWN[what]}`);
}

export async function findUserByName(name: string): Promise<User> {
  requireDatabase();
  const found = (await listUsers(createCliActor())).find((user) => user.name.toLowerCase() === name.toLowerCase());
  if (!found) throw new AppError('not_found', `There is no user ${safe(name)} in ${config.dataDir}.`);
  return found;
}

export const say = (text: string): void => void process.stdout.write(`${text}\n`);
