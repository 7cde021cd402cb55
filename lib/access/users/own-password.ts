import { recordAudit } from '@/lib/access/audit/record';
import { verifyPassword } from '@/lib/access/auth/password';
import type { Origin } from '@/lib/access/auth/sessions';
import { countTry, forgetTries } from '@/lib/access/auth/try-limit';
import { toNameKey } from '@/lib/model/accounts/name-key';
import type { Actor } from '@/lib/model/actor';
import type { AppError } from '@/lib/model/errors';
import type { UserRow } from '@/lib/store/accounts/users';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { getUserRowOrThrow } from './user-rows';

/**
 * Verifies the password of a signed-in user and returns the account. A wrong one is recorded as a refusal of `action`,
 * and `createError` returns the error to throw. Errors: `too_often`, `not_found` and that error.
 */
export async function verifyOwnPassword(
  { actor, action, createError }: { actor: Actor; action: string; createError: () => AppError },
  password: string,
  { address }: Origin,
): Promise<UserRow> {
  const user = await getUserRowOrThrow(actor.id);
  const account = toNameKey(user.name);
  countTry(account, address);
  if (!(await verifyPassword(user.password, password))) {
    const entry = { actor, action, subject: user.id, details: { address } };
    await runTransaction((tx) => recordAudit(tx, { ...entry, outcome: 'refused' }));
    throw createError();
  }
  forgetTries(account, address);
  return user;
}

/**
 * Whether the verified password still opens the account: verifying takes a while, and others may change it meanwhile.
 */
export async function isPasswordCurrent({ id, password }: UserRow, tx: Tx): Promise<boolean> {
  const now = await getUserRowOrThrow(id, tx);
  return !now.disabled && now.password === password;
}
