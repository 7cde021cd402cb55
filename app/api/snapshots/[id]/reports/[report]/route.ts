import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { ReportQuery } from '@/lib/model/reports/query';
import { REPORTS } from '@/lib/model/reports/registry';
import { getReport } from '@/lib/scans/get-report';

const params = z.object({ id: Id, report: z.enum(REPORTS) });

export const GET = handle({ params, query: ReportQuery }, ({ actor, params: { id, report }, query, request }) =>
  getReport(actor, id, report, query, request.signal),
);
