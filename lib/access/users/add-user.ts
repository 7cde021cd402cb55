import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import type { OneTimeLink, User, UserInput } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { findUserRow, insertUserRow, putGrantRows } from '@/lib/store/accounts/users';
import { runTransaction } from '@/lib/store/open-store';
import { assertGrants } from './assert-grants';
import { makePasswordLink } from './make-password-link';
import { createUserRow, toUser } from './user-rows';

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
