import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import type { OneTimeLink } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteSessionRows } from '@/lib/store/accounts/sessions';
import { updateUserRow } from '@/lib/store/accounts/users';
import { runTransaction } from '@/lib/store/open-store';
import { makePasswordLink } from './make-password-link';
import { assertLocal, getUserRowOrThrow } from './user-rows';

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
