import { recordAudit } from '@/lib/access/audit/record';
import { hasEnded } from '@/lib/access/auth/sessions';
import { getLastSeen } from '@/lib/access/auth/touch-when-writable';
import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import type { Session } from '@/lib/model/accounts/accounts';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { deleteSessionRow, listSessionRows } from '@/lib/store/accounts/sessions';
import { runTransaction } from '@/lib/store/open-store';

/** Returns the sessions of the actor, last used first. */
export const listOwnSessions = verb(
  { needs: 'account.manage', on: scopeToOwn },
  async (actor: Actor): Promise<Session[]> => {
    const rows = (await listSessionRows(actor.id))
      .map((row) => ({ ...row, lastSeenAt: getLastSeen(row.id, row.lastSeenAt) }))
      .filter((row) => !hasEnded(row, Date.now()));
    return rows.map(({ id, createdAt, lastSeenAt, expiresAt, address, agent }) => ({
      id,
      createdAt,
      lastSeenAt,
      expiresAt,
      address,
      agent,
      current: id === actor.sessionId,
    }));
  },
);

/** Ends one session of the actor; those of other users are `not_found`. Errors: `not_found`. */
export const revokeOwnSession = verb(
  { needs: 'account.manage', on: scopeToOwn, action: 'session.revoke' },
  async (actor: Actor, id: string): Promise<{ id: string }> => {
    await runTransaction(async (tx) => {
      if (!(await deleteSessionRow(id, actor.id, tx)))
        throw new AppError('not_found', 'You have no such session.', { id });
      await recordAudit(tx, { actor, action: 'session.revoke', subject: id });
    });
    return { id };
  },
);

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
