import { recordAudit } from '@/lib/access/audit/record';
import type { Origin } from '@/lib/access/auth/sessions';
import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { confirmSessionRow } from '@/lib/store/accounts/sessions';
import { runTransaction } from '@/lib/store/open-store';
import { isPasswordCurrent, verifyOwnPassword } from './own-password';

const createPasswordError = () => new AppError('wrong_credentials', 'The password is wrong.', { field: 'password' });

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
    const check = { actor, action: 'session.confirm', createError: createPasswordError };
    const user = await verifyOwnPassword(check, password, from);
    await runTransaction(async (tx) => {
      if (!(await isPasswordCurrent(user, tx))) throw createPasswordError();
      if (!(await confirmSessionRow(sessionId, Date.now(), tx))) throw new AppError('sign_in_needed', 'Sign in first.');
      const details = { address: from.address };
      await recordAudit(tx, { actor, action: 'session.confirm', subject: user.id, details });
    });
  },
);
