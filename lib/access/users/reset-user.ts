import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { everywhere } from '@/lib/access/auth/verb-scopes';
import type { OneTimeLink } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteSessionRowsOf } from '@/lib/store/accounts/sessions';
import { updateUserRow } from '@/lib/store/accounts/users';
import { transaction } from '@/lib/store/open-store';
import { makeLink } from './make-link';
import { assertLocal, userRowOrThrow } from './user-of-row';

/**
 * Resets a lost password: the old one and every session end now, and the returned link sets a new one. Errors:
 * `not_found`, `conflict` (disabled), `managed_by_provider` (there is no password).
 */
export const resetUser = verb(
  { needs: 'user.manage', on: everywhere, action: 'user.reset', fresh: 'always' },
  async (actor: Actor, id: string): Promise<OneTimeLink> =>
    transaction(async (tx) => {
      const user = await userRowOrThrow(id, tx);
      const { name, disabled } = user;
      assertLocal(user);
      if (disabled) throw new AppError('conflict', `${name} is disabled. Enable the account first.`, { id });
      await recordAudit(tx, { actor, action: 'user.reset', subject: id, details: { name } });
      await updateUserRow(id, { password: null }, tx);
      await deleteSessionRowsOf(id, tx);
      return makeLink(id, tx);
    }),
);
