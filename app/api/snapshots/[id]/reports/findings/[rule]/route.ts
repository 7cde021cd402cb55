import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { ReportQuery } from '@/lib/model/reports/query';
import { getRuleFindings } from '@/lib/scans/get-findings';

const params = z.object({ id: Id, rule: z.string().regex(/^([A-Z][0-9]{1,2}|X-[A-Za-z0-9-]{1,32})$/) });

export const GET = handle({ params, query: ReportQuery }, ({ actor, params: { id, rule }, query, request }) =>
  getRuleFindings(actor, id, rule, query, request.signal),
);
