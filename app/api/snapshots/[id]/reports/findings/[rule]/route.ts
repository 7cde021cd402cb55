import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { RuleName } from '@/lib/model/filter';
import { ReportQuery } from '@/lib/model/reports/query';
import { getRuleFindings } from '@/lib/scans/get-findings';

const params = z.object({ id: Id, rule: RuleName });

export const GET = handle({ params, query: ReportQuery }, ({ actor, params: { id, rule }, query, request }) =>
  getRuleFindings(actor, id, rule, query, request.signal),
);
