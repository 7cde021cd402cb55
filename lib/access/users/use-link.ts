import { recordAudit } from '@/lib/access/audit/record';
import { hashToken } from '@/lib/access/auth/generate-token';
import { hashPassword } from '@/lib/access/auth/password';
import { type Origin, startSession } from '@/lib/access/auth/sessions';
import type { LinkUse } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteOneTimeLinkRows, findOneTimeLinkRow } from '@/lib/store/accounts/one-time-links';
import { deleteSessionRows } from '@/lib/store/accounts/sessions';
import { findUserRow, insertUserRow, type UserRow, updateUserRow } from '@/lib/store/accounts/users';
import { runTransaction, type Tx } from '@/lib/store/open-store';
import { createUserRow, getUserRowOrThrow, hasAdmin } from './user-rows';

const createLinkError = () =>
  new AppError('link_invalid', 'This link was used, replaced by another, or is older than a day. Ask for a new one.');

/** Returns the user whose password the link sets; null = it creates the first administrator. Errors: `link_invalid`. */
export async function findLinkUser(token: string, tx?: Tx): Promise<UserRow | null> {
  const link = await findOneTimeLinkRow(hashToken(token), tx);
  if (link === null || link.expiresAt <= Date.now()) throw createLinkError();
  if (link.userId !== null) return getUserRowOrThrow(link.userId, tx);
  // Somebody else has used another link since, or signed in through an identity provider.
  if (await hasAdmin(tx)) throw createLinkError();
  return null;
}

/**
 * Sets the password, ends the link and every session of that user, and signs them in. Returns the token of the session.
 * Errors: `link_invalid`, `bad_request`, `conflict` (name), `weak_password`.
 */
export async function useLink({ token, name, password }: LinkUse, from: Origin): Promise<string> {
  const before = await findLinkUser(token);
  const userName = before?.name ?? name;
  if (userName === undefined)
    throw new AppError('bad_request', 'The first administrator needs a name.', { field: 'name' });
  const hash = await hashPassword(password, userName);
  return runTransaction(async (tx) => {
    // If the link is used twice at the same time, only the first use succeeds.
    const user = (await findLinkUser(token, tx)) ?? (await addFirstAdmin(userName, tx));
    if (user.disabled) throw createLinkError();
    const now = Date.now();
    await updateUserRow(user.id, { password: hash, lastSignInAt: now }, tx);
    await deleteOneTimeLinkRows(before === null ? null : user.id, tx);
    await deleteSessionRows(user.id, tx);
    const actor: Actor = { id: user.id, name: user.name, role: user.role, via: 'page' };
    await recordAudit(tx, { actor, action: 'user.link_use', subject: user.id, details: { address: from.address } });
    return startSession(user.id, from, tx);
  });
}

async function addFirstAdmin(name: string, tx: Tx): Promise<UserRow> {
  if ((await findUserRow(name, tx)) !== null)
    throw new AppError('conflict', 'There is a user of this name. Choose another.', { field: 'name' });
  const user = createUserRow(name, 'admin');
  await insertUserRow(user, tx);
  return user;
}
