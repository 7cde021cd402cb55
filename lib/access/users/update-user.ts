import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import type { User, UserUpdate } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteOneTimeLinkRows } from '@/lib/store/accounts/one-time-links';
import { deleteSessionRows } from '@/lib/store/accounts/sessions';
import { putGrantRows, updateUserRow } from '@/lib/store/accounts/users';
import { runTransaction } from '@/lib/store/open-store';
import { assertGrants } from './assert-grants';
import { assertLocal, getUserRowOrThrow, hasOtherAdmin, toUser } from './user-rows';

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
