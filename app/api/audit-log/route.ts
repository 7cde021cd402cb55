import { z } from 'zod';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { handle } from '@/lib/http/handle';
import { AuditFilter } from '@/lib/model/audit';

const query = AuditFilter.extend({ cursor: z.string().max(64).optional() });

export const GET = handle(
  {
    summary: 'List the rows of the audit log that match a filter, newest first: who did what.',
    answer: 'rows: one page of the log. nextCursor: where the next page begins (null = there is none).',
    query,
  },
  ({ actor, query: asked }) => listAudit(actor, asked),
);
