import { recordAudit } from '@/lib/access/audit/record';
import { hashPassword, verifyPassword } from '@/lib/access/auth/password';
import { type Origin, startSession } from '@/lib/access/auth/sessions';
import { countTry, forgetTries } from '@/lib/access/auth/try-limit';
import { verb } from '@/lib/access/auth/verb';
import { own } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteSessionRowsOf } from '@/lib/store/accounts/sessions';
import { updateUserRow } from '@/lib/store/accounts/users';
import { transaction } from '@/lib/store/open-store';
import { userRowOrThrow } from './user-of-row';

const wrong = () => new AppError('wrong_credentials', 'The current password is wrong.', { field: 'current' });

/**
 * Changes the user's own password, given the current one. Every session ends; returns the token of a new one. Errors:
 * `wrong_credentials`, `too_often`, `weak_password`.
 */
export const changePassword = verb(
  { needs: 'account.manage', on: own, action: 'user.password', subject: () => 'own' },
  async (actor: Actor, { current, next }: { current: string; next: string }, from: Origin): Promise<string> => {
    const user = await userRowOrThrow(actor.id);
    const entry = { actor, action: 'user.password', subject: user.id };
    const account = user.name.normalize('NFKC').toLowerCase();
    countTry(account, from.address);
    if (!(await verifyPassword(user.password, current))) {
      const details = { address: from.address };
      await transaction((tx) => recordAudit(tx, { ...entry, outcome: 'refused', details }));
      throw wrong();
    }
    forgetTries(account, from.address);
    const password = await hashPassword(next, user.name);
    return transaction(async (tx) => {
      // Verification takes a while; a link or an administrator may have changed the password meanwhile.
      const now = await userRowOrThrow(user.id, tx);
      if (now.disabled || now.password !== user.password) throw wrong();
      await recordAudit(tx, entry);
      await updateUserRow(user.id, { password }, tx);
      await deleteSessionRowsOf(user.id, tx);
      return startSession(user.id, from, tx);
    });
  },
);
