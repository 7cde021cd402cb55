import type { Role } from '@/lib/model/access';
import type { User } from '@/lib/model/accounts/accounts';
import { AppError } from '@/lib/model/errors';
import { getUserRow, listGrantRows, listUserRows, type UserRow } from '@/lib/store/accounts/users';
import { generateId } from '@/lib/store/generate-id';
import type { Tx } from '@/lib/store/open-store';

/** Returns what may be shown of a user: never the hash of the password. */
export async function toUser(row: UserRow, tx?: Tx): Promise<User> {
  const { id, name, role, disabled, password, createdAt, lastSignInAt, provider = null } = row;
  const grants = await listGrantRows(id, tx);
  return { id, name, role, grants, disabled, hasPassword: password !== null, provider, createdAt, lastSignInAt };
}

/** Returns a new local account, whose user sets the password with a link. It is not stored. */
export const createUserRow = (name: string, role: Role): UserRow => ({
  id: generateId(),
  name,
  role,
  password: null,
  disabled: false,
  createdAt: Date.now(),
  lastSignInAt: null,
});

export async function getUserRowOrThrow(id: string, tx?: Tx): Promise<UserRow> {
  const row = await getUserRow(id, tx);
  if (row === null) throw new AppError('not_found', 'There is no such user.', { id: id.slice(0, 64) });
  return row;
}

/** Throws `managed_by_provider` for a user who signs in through a provider. */
export function assertLocal({ name, provider }: UserRow): void {
  if (provider)
    throw new AppError('managed_by_provider', `${name} signs in with ${provider}, which says what they may do.`, {
      provider,
    });
}

const isAdmin = ({ role, disabled }: UserRow): boolean => role === 'admin' && !disabled;

/**
 * Whether there is an administrator of any kind: with a password, through an identity provider, or invited and not
 * signed in yet.
 */
export const hasAdmin = async (tx?: Tx): Promise<boolean> => (await listUserRows(tx)).some(isAdmin);

/** Whether another administrator can sign in by password: a provider may be unavailable. */
export async function hasOtherAdmin(id: string, tx?: Tx): Promise<boolean> {
  return (await listUserRows(tx)).some((row) => row.id !== id && isAdmin(row) && row.password !== null);
}
