import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { deleteSessionRows } from '@/lib/store/accounts/sessions';
import { runTransaction } from '@/lib/store/open-store';
import { getUserRowOrThrow } from './user-rows';

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
