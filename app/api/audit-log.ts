import { z } from 'zod';
import { exportAudit } from '@/lib/access/audit-log/export-audit';
import { listAudit, listAuditChoices } from '@/lib/access/audit-log/list-audit';
import { createDownload } from '@/lib/http/download';
import { handle } from '@/lib/http/handle';
import { AuditFilter } from '@/lib/model/audit';
import { AuditFileQuery } from '@/lib/model/reports/file-query';

export const auditLogRoutes = [
  handle('GET /api/audit-log', {
    summary: 'List the rows of the audit log that match a filter, newest first: who did what.',
    answer: 'rows: one page of the log. nextCursor: where the next page begins (null = there is none).',
    query: AuditFilter.extend({ cursor: z.string().max(64).optional() }),
    act: ({ actor, query: asked }) => listAudit(actor, asked),
  }),
  handle('GET /api/audit-log/choices', {
    summary: 'List the people and actions of the audit log, as choices for its filter.',
    answer: 'people: names. actions: their codes.',
    act: ({ actor }) => listAuditChoices(actor),
  }),
  handle('GET /api/audit-log/export', {
    summary: 'Download the rows of the audit log that match a filter as CSV, JSON Lines or Parquet, the oldest first.',
    answer: 'The file.',
    query: AuditFileQuery,
    act: async ({ actor, query: { format, ...filter }, request, stillSignedIn }) =>
      createDownload(await exportAudit(actor, filter, format, request.signal), stillSignedIn),
  }),
];
