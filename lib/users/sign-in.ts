import { recordAudit } from '@/lib/audit/record';
import { verifyPassword } from '@/lib/auth/password';
import { type Origin, startSession } from '@/lib/auth/sessions';
import { countTry, forgetTries } from '@/lib/auth/try-limit';
import { type Actor, ANONYMOUS } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteSessionRow } from '@/lib/store/accounts/sessions';
import { findUserRow, updateUserRow } from '@/lib/store/accounts/users';
import { transaction } from '@/lib/store/open-store';

/**
 * Name and password for the token of a new session. A name that nobody has, a wrong password and an account that is
 * disabled have one answer and take one time. The session that the browser had before (`former`) ends: whoever else
 * knows it knows nothing any more. Errors: `wrong_credentials`, `too_often`.
 */
export async function signIn(
  credentials: { name: string; password: string },
  from: Origin,
  former: Actor = ANONYMOUS,
): Promise<string> {
  const account = credentials.name.trim().normalize('NFKC').toLowerCase();
  countTry(account, from.address);
  const user = await findUserRow(credentials.name.trim());
  const right = await verifyPassword(user !== null && !user.disabled ? user.password : null, credentials.password);
  if (user === null || !right) {
    // What was typed as a name may be a password.
    const subject = user?.id ?? 'unknown';
    await transaction((tx) =>
      recordAudit(tx, {
        actor: ANONYMOUS,
        action: 'session.start',
        subject,
        outcome: 'refused',
        details: { address: from.address },
      }),
    );
    throw new AppError('wrong_credentials', 'The name or the password is wrong.');
  }
  forgetTries(account, from.address);
  const actor: Actor = { id: user.id, name: user.name, role: user.role, via: 'page' };
  return transaction(async (tx) => {
    if (former.sessionId !== undefined) await deleteSessionRow(former.sessionId, former.id, tx);
    await updateUserRow(user.id, { lastSignInAt: Date.now() }, tx);
    await recordAudit(tx, { actor, action: 'session.start', subject: user.id, details: { address: from.address } });
    return startSession(user.id, from, tx);
  });
}
