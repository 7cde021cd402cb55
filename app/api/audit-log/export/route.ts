import { exportAudit } from '@/lib/access/audit-log/export-audit';
import { createDownload } from '@/lib/http/download';
import { handle } from '@/lib/http/handle';
import { AuditFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'Download the rows of the audit log that match a filter as CSV, JSON Lines or Parquet, the oldest first.',
    answer: 'The file.',
    query,
  },
  async ({ actor, query: { format, ...filter }, request, stillSignedIn }) =>
    createDownload(await exportAudit(actor, filter, format, request.signal), stillSignedIn),
);
