import { recordAudit } from '@/lib/access/audit/record';
import { verifyPassword } from '@/lib/access/auth/password';
import { type Origin, startSession } from '@/lib/access/auth/sessions';
import { countTry, forgetTries } from '@/lib/access/auth/try-limit';
import { toNameKey } from '@/lib/model/accounts/name-key';
import { type Actor, ANONYMOUS } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteSessionRow } from '@/lib/store/accounts/sessions';
import { findUserRow, getUserRow, type UserRow, updateUserRow } from '@/lib/store/accounts/users';
import { runTransaction } from '@/lib/store/open-store';

/**
 * Checks name and password and returns the token of a new session. An unknown name, a wrong password and a disabled
 * account have the same answer after the same time. The previous session of the browser (`former`) ends, so that anyone
 * else who has its token cannot use it any more. Errors: `wrong_credentials`, `too_often`.
 */
export async function signIn(
  credentials: { name: string; password: string },
  from: Origin,
  former: Actor = ANONYMOUS,
): Promise<string> {
  const account = toNameKey(credentials.name.trim());
  countTry(account, from.address);
  const user = await findUserRow(credentials.name.trim());
  const isRight = await verifyPassword(user !== null && !user.disabled ? user.password : null, credentials.password);
  const token = user !== null && isRight ? await begin(user, from, former) : null;
  if (token === null) {
    // The typed name is not recorded, because it may be a password.
    const subject = user?.id ?? 'unknown';
    const entry = { actor: ANONYMOUS, action: 'session.start', subject, details: { address: from.address } };
    await runTransaction((tx) => recordAudit(tx, { ...entry, outcome: 'refused' }));
    throw new AppError('wrong_credentials', 'The name or the password is wrong.');
  }
  forgetTries(account, from.address);
  return token;
}

/** Begins the session; null = the password was changed or the account disabled during the check. */
function begin({ id, name, role, password }: UserRow, from: Origin, former: Actor): Promise<string | null> {
  return runTransaction(async (tx) => {
    const now = await getUserRow(id, tx);
    if (now === null || now.disabled || now.password !== password) return null;
    if (former.sessionId !== undefined) await deleteSessionRow(former.sessionId, former.id, tx);
    await updateUserRow(id, { lastSignInAt: Date.now() }, tx);
    const actor: Actor = { id, name, role, via: 'page' };
    await recordAudit(tx, { actor, action: 'session.start', subject: id, details: { address: from.address } });
    return startSession(id, from, tx);
  });
}
