import { recordAudit } from '@/lib/access/audit/record';
import { hashPassword, verifyPassword } from '@/lib/access/auth/password';
import { type Origin, startSession } from '@/lib/access/auth/sessions';
import { countTry, forgetTries } from '@/lib/access/auth/try-limit';
import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteSessionRows } from '@/lib/store/accounts/sessions';
import { updateUserRow } from '@/lib/store/accounts/users';
import { runTransaction } from '@/lib/store/open-store';
import { getUserRowOrThrow } from './user-rows';

const createPasswordError = () =>
  new AppError('wrong_credentials', 'The current password is wrong.', { field: 'current' });

/**
 * Changes the user's own password, given the current one. Every session ends; returns the token of a new one. Errors:
 * `wrong_credentials`, `too_often`, `weak_password`.
 */
export const changePassword = verb(
  { needs: 'account.manage', on: scopeToOwn, action: 'user.password', subject: () => 'own' },
  async (actor: Actor, { current, next }: { current: string; next: string }, from: Origin): Promise<string> => {
    const user = await getUserRowOrThrow(actor.id);
    const entry = { actor, action: 'user.password', subject: user.id };
    const account = user.name.normalize('NFKC').toLowerCase();
    countTry(account, from.address);
    if (!(await verifyPassword(user.password, current))) {
      const details = { address: from.address };
      await runTransaction((tx) => recordAudit(tx, { ...entry, outcome: 'refused', details }));
      throw createPasswordError();
    }
    forgetTries(account, from.address);
    const password = await hashPassword(next, user.name);
    return runTransaction(async (tx) => {
      // Verification takes a while; a link or an administrator may have changed the password meanwhile.
      const now = await getUserRowOrThrow(user.id, tx);
      if (now.disabled || now.password !== user.password) throw createPasswordError();
      await recordAudit(tx, entry);
      await updateUserRow(user.id, { password }, tx);
      await deleteSessionRows(user.id, tx);
      return startSession(user.id, from, tx);
    });
  },
);
