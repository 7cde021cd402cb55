import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { everywhere } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { deleteSessionRowsOf } from '@/lib/store/accounts/sessions';
import { transaction } from '@/lib/store/open-store';
import { userRowOrThrow } from './user-of-row';

/** Ends all sessions of a user, for example after the loss of a machine. Errors: `not_found`. */
export const endUserSessions = verb(
  { needs: 'user.manage', on: everywhere, action: 'user.sign_out' },
  async (actor: Actor, id: string): Promise<{ ended: number }> =>
    transaction(async (tx) => {
      const { name } = await userRowOrThrow(id, tx);
      const ended = await deleteSessionRowsOf(id, tx);
      await recordAudit(tx, { actor, action: 'user.sign_out', subject: id, details: { name, ended } });
      return { ended };
    }),
);
