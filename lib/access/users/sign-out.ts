import { recordAudit } from '@/lib/access/audit/record';
import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { deleteSessionRow } from '@/lib/store/accounts/sessions';
import { runTransaction } from '@/lib/store/open-store';

/** Ends the session of this request, and returns the provider that it began with; null = it began without one. */
export const signOut = verb(
  { needs: 'account.manage', on: scopeToOwn, action: 'session.end' },
  async (actor: Actor): Promise<{ provider: string | null }> => {
    const { sessionId } = actor;
    const provider = actor.provider ?? null;
    if (sessionId === undefined) return { provider };
    await runTransaction(async (tx) => {
      await recordAudit(tx, { actor, action: 'session.end', subject: sessionId });
      await deleteSessionRow(sessionId, actor.id, tx);
    });
    return { provider };
  },
);
