import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { ReportQuery } from '@/lib/model/reports/query';
import { getFindings } from '@/lib/scans/get-findings';

export const GET = handle(
  { params: z.object({ id: Id }), query: ReportQuery },
  ({ actor, params: { id }, query, request }) => getFindings(actor, id, query, request.signal),
);
