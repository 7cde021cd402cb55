import { verb } from '@/lib/access/auth/verb';
import { scopeToAll } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { AuditFilter, AuditRow } from '@/lib/model/audit';
import { AppError } from '@/lib/model/errors';
import { listAuditRows, listAuditRowsBySeq, listDistinctInAudit } from '@/lib/store/audit';
import { toAuditRow, toRowFilter } from './audit-row';

const PAGE = 100;

/** Lists the rows of the log, newest first. Everybody who may see all instances may read it: it has no secrets. */
export const listAudit = verb(
  { needs: 'audit.read', on: scopeToAll },
  async (
    _actor: Actor,
    asked: AuditFilter & { cursor?: string | null; limit?: number } = {},
  ): Promise<{ rows: AuditRow[]; nextCursor: string | null }> => {
    const { cursor = null, limit = PAGE, ...filter } = asked;
    if (cursor !== null && !/^\d{1,15}$/.test(cursor)) throw new AppError('bad_request', 'The cursor is not valid.');
    const found = await listAuditRows(toRowFilter(filter), cursor === null ? null : Number(cursor), limit + 1);
    const page = found.slice(0, limit);
    // An outcome names the row that recorded the intent before the act; both are shown as one line.
    const intents = await listAuditRowsBySeq(page.flatMap(({ intent }) => intent ?? []));
    const intentBySeq = new Map(intents.map(({ seq, at }) => [seq, { seq, at }]));
    const rows = page.map((row) => toAuditRow(row, row.intent === null ? null : (intentBySeq.get(row.intent) ?? null)));
    return { rows, nextCursor: found.length > limit ? String(rows.at(-1)?.seq) : null };
  },
);

const MAX_CHOICES = 500;

/** Lists people and actions in the log, as choices for a filter, including people without an account. */
export const listAuditChoices = verb(
  { needs: 'audit.read', on: scopeToAll },
  async (_actor: Actor): Promise<{ people: string[]; actions: string[] }> => ({
    people: await listDistinctInAudit('actor_name', MAX_CHOICES),
    actions: await listDistinctInAudit('action', MAX_CHOICES),
  }),
);
