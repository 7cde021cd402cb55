import { recordAudit } from '@/lib/access/audit/record';
import { hashPassword } from '@/lib/access/auth/password';
import { type Origin, startSession } from '@/lib/access/auth/sessions';
import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteSessionRows } from '@/lib/store/accounts/sessions';
import { updateUserRow } from '@/lib/store/accounts/users';
import { runTransaction } from '@/lib/store/open-store';
import { isPasswordCurrent, verifyOwnPassword } from './own-password';

const createPasswordError = () =>
  new AppError('wrong_credentials', 'The current password is wrong.', { field: 'current' });

/**
 * Changes the user's own password, given the current one. Every session ends; returns the token of a new one. Errors:
 * `wrong_credentials`, `too_often`, `weak_password`.
 */
export const changePassword = verb(
  { needs: 'account.manage', on: scopeToOwn, action: 'user.password', subject: () => 'own' },
  async (actor: Actor, { current, next }: { current: string; next: string }, from: Origin): Promise<string> => {
    const check = { actor, action: 'user.password', createError: createPasswordError };
    const user = await verifyOwnPassword(check, current, from);
    const password = await hashPassword(next, user.name);
    return runTransaction(async (tx) => {
      if (!(await isPasswordCurrent(user, tx))) throw createPasswordError();
      await recordAudit(tx, { actor, action: 'user.password', subject: user.id });
      await updateUserRow(user.id, { password }, tx);
      await deleteSessionRows(user.id, tx);
      return startSession(user.id, from, tx);
    });
  },
);
