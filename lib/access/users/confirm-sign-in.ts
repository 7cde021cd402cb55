import { recordAudit } from '@/lib/access/audit/record';
import { verifyPassword } from '@/lib/access/auth/password';
import type { Origin } from '@/lib/access/auth/sessions';
import { countTry, forgetTries } from '@/lib/access/auth/try-limit';
import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { confirmSessionRow } from '@/lib/store/accounts/sessions';
import { runTransaction } from '@/lib/store/open-store';
import { getUserRowOrThrow } from './user-rows';

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
    const user = await getUserRowOrThrow(actor.id);
    const account = user.name.normalize('NFKC').toLowerCase();
    const entry = { actor, action: 'session.confirm', subject: user.id };
    countTry(account, from.address);
    if (!(await verifyPassword(user.password, password))) {
      const details = { address: from.address };
      await runTransaction((tx) => recordAudit(tx, { ...entry, outcome: 'refused', details }));
      throw createPasswordError();
    }
    forgetTries(account, from.address);
    await runTransaction(async (tx) => {
      const now = await getUserRowOrThrow(user.id, tx);
      if (now.disabled || now.password !== user.password) throw createPasswordError();
      if (!(await confirmSessionRow(sessionId, Date.now(), tx))) throw new AppError('sign_in_needed', 'Sign in first.');
      await recordAudit(tx, { ...entry, details: { address: from.address } });
    });
  },
);
