import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { everywhere } from '@/lib/access/auth/verb-scopes';
import type { OneTimeLink, User, UserInput } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { findUserRow, insertUserRow, putGrantRows, type UserRow } from '@/lib/store/accounts/users';
import { newId } from '@/lib/store/new-id';
import { transaction } from '@/lib/store/open-store';
import { assertGrants } from './assert-grants';
import { makeLink } from './make-link';
import { userOfRow } from './user-of-row';

/** Adds a user, who sets the password with the link, so that nobody else ever knows it. Errors: `conflict` (name). */
export const addUser = verb(
  { needs: 'user.manage', on: everywhere, action: 'user.add', fresh: 'always', subject: ({ name }: UserInput) => name },
  async (actor: Actor, { name, role, grants }: UserInput): Promise<{ user: User; link: OneTimeLink }> => {
    assertGrants(grants);
    const row: UserRow = {
      id: newId(),
      name,
      role,
      password: null,
      disabled: false,
      createdAt: Date.now(),
      lastSignInAt: null,
    };
    return transaction(async (tx) => {
      if ((await findUserRow(name, tx)) !== null)
        throw new AppError('conflict', `There is a user named ${name} already.`, { field: 'name' });
      await recordAudit(tx, { actor, action: 'user.add', subject: row.id, details: { name, role, grants } });
      await insertUserRow(row, tx);
      await putGrantRows(row.id, grants, tx);
      return { user: await userOfRow(row, tx), link: await makeLink(row.id, tx) };
    });
  },
);
