import { z } from 'zod';
import { download } from '@/lib/http/download';
import { handle, Id } from '@/lib/http/handle';
import { ReportFileQuery as query } from '@/lib/model/reports/file-query';
import { REPORTS } from '@/lib/model/reports/registry';
import { exportReport } from '@/lib/scans/export-report';
import { getReport } from '@/lib/scans/get-report';

export const GET = handle(
  { params: z.object({ id: Id, report: z.enum(REPORTS) }), query },
  async ({ actor, params: p, query: { format, table, ...asked }, request: { signal }, stillSignedIn }) =>
    format === 'json'
      ? getReport(actor, p.id, p.report, asked, signal)
      : download(await exportReport(actor, p.id, p.report, asked, { format, table, signal }), stillSignedIn),
);
