import { z } from 'zod';
import { download } from '@/lib/http/download';
import { Id } from '@/lib/http/handle';
import type { Actor } from '@/lib/model/actor';
import type { ReportFileQuery } from '@/lib/model/reports/file-query';
import { REPORTS } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';
import { exportReport } from '@/lib/scans/export/export-report';
import { getReport } from '@/lib/scans/get-report';

/** What the routes of reports share: a report of a snapshot as JSON, or one of its tables as a file. */
export const reportParams = z.object({ id: Id, report: z.enum(REPORTS) });

interface Asked {
  actor: Actor;
  params: { report: ReportName };
  request: Request;
  stillSignedIn: () => Promise<boolean>;
}

export async function reportAnswer(asked: Asked, id: string, { format, table, ...query }: ReportFileQuery) {
  const { actor, params, request, stillSignedIn } = asked;
  if (format === 'json') return getReport(actor, id, params.report, query, request.signal);
  const shape = { format, table, signal: request.signal };
  return download(await exportReport(actor, id, params.report, query, shape), stillSignedIn);
}
