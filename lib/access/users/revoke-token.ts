import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import { allows } from '@/lib/model/access';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteApiTokenRow, getApiTokenRow } from '@/lib/store/accounts/api-tokens';
import { runTransaction } from '@/lib/store/open-store';
import { getUserRowOrThrow } from './user-rows';

/**
 * Ends a token of the actor, or any token if the actor is an administrator. Errors: `not_found`, also for a token of
 * somebody else, so that its existence is not revealed.
 */
export const revokeToken = verb(
  { needs: 'account.manage', on: scopeToOwn, action: 'api_token.revoke' },
  async (actor: Actor, id: string): Promise<{ id: string }> => {
    await runTransaction(async (tx) => {
      const row = await getApiTokenRow(id, tx);
      if (row === null || (row.userId !== actor.id && !allows(actor.role, 'user.manage')))
        throw new AppError('not_found', 'You have no such token.', { id });
      const { name } = await getUserRowOrThrow(row.userId, tx);
      const details = { name: row.name, user: name };
      await recordAudit(tx, { actor, action: 'api_token.revoke', subject: id, details });
      await deleteApiTokenRow(id, tx);
    });
    return { id };
  },
);
