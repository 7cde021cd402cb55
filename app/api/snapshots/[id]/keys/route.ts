import { z } from 'zod';
import { download } from '@/lib/http/download';
import { handle, Id } from '@/lib/http/handle';
import { AnswerFormat } from '@/lib/model/reports/file-query';
import { ReportQuery } from '@/lib/model/reports/query';
import { exportSnapshotKeys } from '@/lib/scans/export/export-snapshot-keys';
import { getReport } from '@/lib/scans/get-report';

const params = z.object({ id: Id });
const query = ReportQuery.extend({ format: AnswerFormat });

export const GET = handle({ params, query }, async ({ actor, params: { id }, query: q, request, stillSignedIn }) => {
  const { format, ...asked } = q;
  if (format === 'json') return getReport(actor, id, 'keys', asked, request.signal);
  return download(await exportSnapshotKeys(actor, id, asked, format, request.signal), stillSignedIn);
});
