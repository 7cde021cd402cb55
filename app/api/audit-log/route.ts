import { z } from 'zod';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { handle } from '@/lib/http/handle';
import { AuditFilter } from '@/lib/model/audit';

const query = AuditFilter.extend({ cursor: z.string().max(64).optional() });

export const GET = handle(
  { summary: 'Who did what, newest first.', answer: 'rows and nextCursor', query },
  ({ actor, query: asked }) => listAudit(actor, asked),
);
