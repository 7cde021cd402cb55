import { z } from 'zod';
import { download } from '@/lib/http/download';
import { Id } from '@/lib/http/handle';
import type { Actor } from '@/lib/model/actor';
import { RuleName } from '@/lib/model/filter';
import type { FindingsFileQuery, ReportFileQuery, RuleFileQuery } from '@/lib/model/reports/file-query';
import { REPORTS } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';
import { exportFindings } from '@/lib/scans/export/export-findings';
import { exportReport } from '@/lib/scans/export/export-report';
import { exportRuleFindings } from '@/lib/scans/export/export-rule-findings';
import { getFindings, getRuleFindings } from '@/lib/scans/get-findings';
import { getReport } from '@/lib/scans/get-report';

/** What the routes of reports share: a report of a snapshot as JSON, or one of its tables as a file. */
export const reportParams = z.object({ id: Id, report: z.enum(REPORTS) });
export const ruleParams = z.object({ id: Id, rule: RuleName });

interface Asked {
  actor: Actor;
  request: Request;
  stillSignedIn: () => Promise<boolean>;
}

export async function reportAnswer(
  { actor, params, request, stillSignedIn }: Asked & { params: { report: ReportName } },
  id: string,
  { format, table, ...query }: ReportFileQuery,
) {
  if (format === 'json') return getReport(actor, id, params.report, query, request.signal);
  const shape = { format, table, signal: request.signal };
  return download(await exportReport(actor, id, params.report, query, shape), stillSignedIn);
}

export async function findingsAnswer(
  { actor, request: { signal }, stillSignedIn }: Asked,
  id: string,
  { format, table, only, area, ...query }: FindingsFileQuery,
) {
  if (format === 'json') return getFindings(actor, id, query, signal);
  return download(await exportFindings(actor, id, query, { format, table, only, area, signal }), stillSignedIn);
}

export async function ruleAnswer(
  { actor, params: { rule }, request: { signal }, stillSignedIn }: Asked & { params: { rule: string } },
  id: string,
  { format, ...query }: RuleFileQuery,
) {
  if (format === 'json') return getRuleFindings(actor, id, rule, query, signal);
  return download(await exportRuleFindings(actor, id, rule, query, { format, signal }), stillSignedIn);
}
