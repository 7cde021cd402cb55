import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { type Tx, transaction } from '@/lib/store/open-store';
import { type AuditEntry, recordAudit } from './record';

const RANK: Record<Actor['role'], number> = { none: -1, viewer: 0, operator: 1, admin: 2 };

/**
 * Throws `forbidden` when the role is too low; the attempt is on record. Call it before opening a transaction: inside
 * one (`tx`) the record of the attempt goes when the refusal rolls it back.
 */
export async function requireRole(
  actor: Actor,
  role: Actor['role'],
  attempt: Omit<AuditEntry, 'actor' | 'outcome'>,
  tx?: Tx,
): Promise<void> {
  if (RANK[actor.role] >= RANK[role]) return;
  await transaction(
    (open) => recordAudit(open, { ...attempt, actor, outcome: 'refused', details: { needs: role } }),
    tx,
  );
  throw new AppError('forbidden', `This needs the role ${role}; ${actor.name} is ${actor.role}.`, {
    needs: role,
    has: actor.role,
  });
}
