import { recordAudit } from '@/lib/access/audit/record';
import { hashPassword } from '@/lib/access/auth/password';
import { type Origin, startSession } from '@/lib/access/auth/sessions';
import { hashToken } from '@/lib/access/auth/token';
import type { LinkUse } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteOneTimeLinkRowsOf, findOneTimeLinkRow } from '@/lib/store/accounts/one-time-links';
import { deleteSessionRowsOf } from '@/lib/store/accounts/sessions';
import { findUserRow, insertUserRow, type UserRow, updateUserRow } from '@/lib/store/accounts/users';
import { newId } from '@/lib/store/new-id';
import { type Tx, transaction } from '@/lib/store/open-store';
import { hasAdmin, userRowOrThrow } from './user-of-row';

const invalid = () =>
  new AppError('link_invalid', 'This link was used, replaced by another, or is older than a day. Ask for a new one.');

/** Returns the user whose password the link sets; null = it creates the first administrator. Errors: `link_invalid`. */
export async function linkSubject(token: string, tx?: Tx): Promise<UserRow | null> {
  const link = await findOneTimeLinkRow(hashToken(token), tx);
  if (link === null || link.expiresAt <= Date.now()) throw invalid();
  if (link.userId !== null) return userRowOrThrow(link.userId, tx);
  // Somebody else has used another link since, or signed in through an identity provider.
  if (await hasAdmin(tx)) throw invalid();
  return null;
}

/**
 * Sets the password, ends the link and every session of that user, and signs them in. Returns the token of the session.
 * Errors: `link_invalid`, `bad_request`, `conflict` (name), `weak_password`.
 */
export async function useLink({ token, name, password }: LinkUse, from: Origin): Promise<string> {
  const before = await linkSubject(token);
  const called = before?.name ?? name;
  if (called === undefined)
    throw new AppError('bad_request', 'The first administrator needs a name.', { field: 'name' });
  const hash = await hashPassword(password, called);
  return transaction(async (tx) => {
    // If the link is used twice at the same time, only the first use succeeds.
    const user = (await linkSubject(token, tx)) ?? (await firstAdmin(called, tx));
    if (user.disabled) throw invalid();
    const now = Date.now();
    await updateUserRow(user.id, { password: hash, lastSignInAt: now }, tx);
    await deleteOneTimeLinkRowsOf(before === null ? null : user.id, tx);
    await deleteSessionRowsOf(user.id, tx);
    const actor: Actor = { id: user.id, name: user.name, role: user.role, via: 'page' };
    await recordAudit(tx, { actor, action: 'user.link_use', subject: user.id, details: { address: from.address } });
    return startSession(user.id, from, tx);
  });
}

async function firstAdmin(name: string, tx: Tx): Promise<UserRow> {
  if ((await findUserRow(name, tx)) !== null)
    throw new AppError('conflict', 'There is a user of this name. Choose another.', { field: 'name' });
  const user: UserRow = {
    id: newId(),
    name,
    role: 'admin',
    password: null,
    disabled: false,
    createdAt: Date.now(),
    lastSignInAt: null,
  };
  await insertUserRow(user, tx);
  return user;
}
