import { recordAudit } from '@/lib/access/audit/record';
import { hashPassword, verifyPassword } from '@/lib/access/auth/password';
import { type Origin, startSession } from '@/lib/access/auth/sessions';
import { countTry, forgetTries } from '@/lib/access/auth/try-limit';
import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import { toNameKey } from '@/lib/model/accounts/name-key';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { confirmSessionRow, deleteSessionRows } from '@/lib/store/accounts/sessions';
import { type UserRow, updateUserRow } from '@/lib/store/accounts/users';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { getUserRowOrThrow } from './user-rows';

const createChangeError = () =>
  new AppError('wrong_credentials', 'The current password is wrong.', { field: 'current' });

/**
 * Changes the user's own password, given the current one. Every session ends; returns the token of a new one. Errors:
 * `wrong_credentials`, `too_often`, `weak_password`.
 */
export const changePassword = verb(
  { needs: 'account.manage', on: scopeToOwn, action: 'user.password', subject: () => 'own' },
  async (actor: Actor, { current, next }: { current: string; next: string }, from: Origin): Promise<string> => {
    const check = { actor, action: 'user.password', createError: createChangeError };
    const user = await verifyOwnPassword(check, current, from);
    const password = await hashPassword(next, user.name);
    return runTransaction(async (tx) => {
      if (!(await isPasswordCurrent(user, tx))) throw createChangeError();
      await recordAudit(tx, { actor, action: 'user.password', subject: user.id });
      await updateUserRow(user.id, { password }, tx);
      await deleteSessionRows(user.id, tx);
      return startSession(user.id, from, tx);
    });
  },
);

const createConfirmError = () => new AppError('wrong_credentials', 'The password is wrong.', { field: 'password' });

/**
 * Verifies the password again before an action on production: the session then counts as fresh for some minutes.
 * Errors: `wrong_credentials`, `too_often`, `sign_in_needed` (the session ended meanwhile), `unsupported` (there is no
 * sign-in).
 */
export const confirmSignIn = verb(
  // The subject is set here, because the first argument is the password.
  { needs: 'account.manage', on: scopeToOwn, action: 'session.confirm', subject: () => 'own' },
  async (actor: Actor, password: string, from: Origin): Promise<void> => {
    const { sessionId } = actor;
    if (sessionId === undefined)
      throw new AppError('unsupported', 'This server has no sign-in (COLONNADE_SINGLE_USER=1).');
    const check = { actor, action: 'session.confirm', createError: createConfirmError };
    const user = await verifyOwnPassword(check, password, from);
    await runTransaction(async (tx) => {
      if (!(await isPasswordCurrent(user, tx))) throw createConfirmError();
      if (!(await confirmSessionRow(sessionId, Date.now(), tx))) throw new AppError('sign_in_needed', 'Sign in first.');
      const details = { address: from.address };
      await recordAudit(tx, { actor, action: 'session.confirm', subject: user.id, details });
    });
  },
);

/**
 * Verifies the password of a signed-in user and returns the account. A wrong one is recorded as a refusal of `action`,
 * and `createError` returns the error to throw. Errors: `too_often`, `not_found` and that error.
 */
async function verifyOwnPassword(
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
async function isPasswordCurrent({ id, password }: UserRow, tx: Tx): Promise<boolean> {
  const now = await getUserRowOrThrow(id, tx);
  return !now.disabled && now.password === password;
}
