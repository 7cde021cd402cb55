import type { User } from '@/lib/model/accounts/accounts';
import { AppError } from '@/lib/model/errors';
import { getUserRow, listGrantRows, listUserRows, type UserRow } from '@/lib/store/accounts/users';
import type { Tx } from '@/lib/store/open-store';

/** What may be seen of a person: never the hash of the password. */
export async function userOfRow(row: UserRow, tx?: Tx): Promise<User> {
  const { id, name, role, disabled, password, createdAt, lastSignInAt, provider = null } = row;
  const grants = await listGrantRows(id, tx);
  return { id, name, role, grants, disabled, hasPassword: password !== null, provider, createdAt, lastSignInAt };
}

export async function userRowOrThrow(id: string, tx?: Tx): Promise<UserRow> {
  const row = await getUserRow(id, tx);
  if (row === null) throw new AppError('not_found', 'There is no such user.', { id: id.slice(0, 64) });
  return row;
}

/** Errors: `managed_by_provider`. */
export function assertLocal({ name, provider }: UserRow): void {
  if (provider)
    throw new AppError('managed_by_provider', `${name} signs in with ${provider}, which says what they may do.`, {
      provider,
    });
}

const isAdmin = ({ role, disabled }: UserRow): boolean => role === 'admin' && !disabled;

/** Of whichever kind: with a password, by an identity provider, or invited and not come yet. */
export const hasAdmin = async (tx?: Tx): Promise<boolean> => (await listUserRows(tx)).some(isAdmin);

/** Whoever can sign in by password and manage users, beside one person: a provider may be down. */
export async function hasOtherAdmin(id: string, tx?: Tx): Promise<boolean> {
  return (await listUserRows(tx)).some((row) => row.id !== id && isAdmin(row) && row.password !== null);
}
