import type { User } from '@/lib/model/accounts';
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

/** Whoever can sign in and manage users, beside one person. */
export async function hasOtherAdmin(id: string | null, tx?: Tx): Promise<boolean> {
  const able = (row: UserRow) => row.role === 'admin' && !row.disabled && row.password !== null;
  return (await listUserRows(tx)).some((row) => row.id !== id && able(row));
}
