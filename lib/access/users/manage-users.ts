import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import type { OneTimeLink, User, UserInput, UserUpdate } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteOneTimeLinkRows } from '@/lib/store/accounts/one-time-links';
import { deleteSessionRows } from '@/lib/store/accounts/sessions';
import { findUserRow, insertUserRow, listUserRows, putGrantRows, updateUserRow } from '@/lib/store/accounts/users';
import { runTransaction } from '@/lib/store/open-store';
import { assertGrants } from './assert-grants';
import { makePasswordLink } from './make-password-link';
import { assertLocal, createUserRow, getUserRowOrThrow, hasOtherAdmin, toUser } from './user-rows';

/** Returns everyone with an account, by name. */
export const listUsers = verb({ needs: 'user.manage', on: scopeToAll }, async (_actor: Actor): Promise<User[]> => {
  const rows = await listUserRows();
  return Promise.all(rows.map((row) => toUser(row)));
});

/** Adds a user, who sets the password with the link, so that nobody else ever knows it. Errors: `conflict` (name). */
export const addUser = verb(
  { needs: 'user.manage', on: scopeToAll, action: 'user.add', fresh: 'always', subject: ({ name }: UserInput) => name },
  async (actor: Actor, { name, role, grants }: UserInput): Promise<{ user: User; link: OneTimeLink }> => {
    assertGrants(grants);
    const row = createUserRow(name, role);
    return runTransaction(async (tx) => {
      if ((await findUserRow(name, tx)) !== null)
        throw new AppError('conflict', `There is a user named ${name} already.`, { field: 'name' });
      await recordAudit(tx, { actor, action: 'user.add', subject: row.id, details: { name, role, grants } });
      await insertUserRow(row, tx);
      await putGrantRows(row.id, grants, tx);
      return { user: await toUser(row, tx), link: await makePasswordLink(row.id, tx) };
    });
  },
);

/**
 * Changes role, grants, or whether the account may be used. After every change the user has to sign in again. Errors:
 * `not_found`, `last_admin`, `managed_by_provider` (role and grants).
 */
export const updateUser = verb(
  { needs: 'user.manage', on: scopeToAll, action: 'user.update', fresh: 'always' },
  async (actor: Actor, id: string, { role, grants, disabled }: UserUpdate): Promise<User> => {
    if (grants) assertGrants(grants);
    return runTransaction(async (tx) => {
      const before = await getUserRowOrThrow(id, tx);
      if (role !== undefined || grants !== undefined) assertLocal(before);
      const wasAdmin = before.role === 'admin' && !before.disabled;
      const staysAdmin = (role ?? before.role) === 'admin' && !(disabled ?? before.disabled);
      if (wasAdmin && !staysAdmin && !(await hasOtherAdmin(id, tx)))
        throw new AppError('last_admin', `${before.name} is the only administrator who can sign in.`, { id });
      const details = { name: before.name, ...(role && { role }), ...(grants && { grants }), disabled };
      await recordAudit(tx, { actor, action: 'user.update', subject: id, details });
      await updateUserRow(id, { ...(role && { role }), ...(disabled !== undefined && { disabled }) }, tx);
      if (grants) await putGrantRows(id, grants, tx);
      if (disabled) await deleteOneTimeLinkRows(id, tx);
      await deleteSessionRows(id, tx);
      return toUser(await getUserRowOrThrow(id, tx), tx);
    });
  },
);

/**
 * Resets a lost password: the old one and every session end now, and the returned link sets a new one. Errors:
 * `not_found`, `conflict` (disabled), `managed_by_provider` (there is no password).
 */
export const resetUser = verb(
  { needs: 'user.manage', on: scopeToAll, action: 'user.reset', fresh: 'always' },
  async (actor: Actor, id: string): Promise<OneTimeLink> =>
    runTransaction(async (tx) => {
      const user = await getUserRowOrThrow(id, tx);
      const { name, disabled } = user;
      assertLocal(user);
      if (disabled) throw new AppError('conflict', `${name} is disabled. Enable the account first.`, { id });
      await recordAudit(tx, { actor, action: 'user.reset', subject: id, details: { name } });
      await updateUserRow(id, { password: null }, tx);
      await deleteSessionRows(id, tx);
      return makePasswordLink(id, tx);
    }),
);

/** Ends all sessions of a user, for example after the loss of a machine. Errors: `not_found`. */
export const endUserSessions = verb(
  { needs: 'user.manage', on: scopeToAll, action: 'user.sign_out' },
  async (actor: Actor, id: string): Promise<{ ended: number }> =>
    runTransaction(async (tx) => {
      const { name } = await getUserRowOrThrow(id, tx);
      const ended = await deleteSessionRows(id, tx);
      await recordAudit(tx, { actor, action: 'user.sign_out', subject: id, details: { name, ended } });
      return { ended };
    }),
);
