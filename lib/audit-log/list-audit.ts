import { verb } from '@/lib/auth/verb';
import { house } from '@/lib/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { AuditRow } from '@/lib/model/reports/fleet';
import { listAuditRows } from '@/lib/store/audit';

const PAGE = 100;

/** Newest first. Everyone who may look everywhere may read it: it holds no secret. */
export const listAudit = verb(
  { needs: 'audit.read', on: house },
  async (
    _actor: Actor,
    { cursor = null, limit = PAGE }: { cursor?: string | null; limit?: number } = {},
  ): Promise<{ rows: AuditRow[]; nextCursor: string | null }> => {
    if (cursor !== null && !/^\d{1,15}$/.test(cursor)) throw new AppError('bad_request', 'The cursor is not valid.');
    const found = await listAuditRows(cursor === null ? null : Number(cursor), limit + 1);
    const rows = found.slice(0, limit).map(
      (row): AuditRow => ({
        seq: row.seq,
        at: row.at,
        actor: row.actor_name,
        action: row.action,
        subject: row.subject,
        instanceId: row.instance_id,
        outcome: row.outcome,
        details: JSON.parse(row.details),
      }),
    );
    return { rows, nextCursor: found.length > limit ? String(rows.at(-1)?.seq) : null };
  },
);
