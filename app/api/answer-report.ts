import { z } from 'zod';
import { answerInFormat, refuseFileFields } from '@/app/api/answer-in-format';
import { Id } from '@/lib/http/handle';
import type { Actor } from '@/lib/model/actor';
import { RuleName } from '@/lib/model/filter';
import type { FindingsFileQuery, ReportFileQuery, RowsFileQuery } from '@/lib/model/reports/file-query';
import { REPORTS } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';
import { exportFindings } from '@/lib/scans/export/export-findings';
import { exportReport } from '@/lib/scans/export/export-report';
import { exportRuleFindings } from '@/lib/scans/export/export-rule-findings';
import { getFindings, getRuleFindings } from '@/lib/scans/get-findings';
import { getReport } from '@/lib/scans/get-report';

/** Shared by the report routes: they answer a report of a snapshot as JSON, or one of its tables as a file. */
export const reportParams = z.object({ id: Id, report: z.enum(REPORTS) });
export const ruleParams = z.object({ id: Id, rule: RuleName });

type Asked = Parameters<typeof answerInFormat>[0] & { actor: Actor };

export function answerReport(
  { actor, params: { report }, ...asked }: Asked & { params: { report: ReportName } },
  id: string,
  { format, table, ...query }: ReportFileQuery,
) {
  refuseFileFields(format, { table });
  const answer = () => getReport(actor, id, report, query, asked.request.signal);
  return answerInFormat(asked, format, answer, (shape) => exportReport(actor, id, report, query, { ...shape, table }));
}

export function answerFindings(
  { actor, ...asked }: Asked,
  id: string,
  { format, table, only, area, ...query }: FindingsFileQuery,
) {
  const file = { table, only, area };
  refuseFileFields(format, file);
  const answer = () => getFindings(actor, id, query, asked.request.signal);
  return answerInFormat(asked, format, answer, (shape) => exportFindings(actor, id, query, { ...shape, ...file }));
}

export function answerRule(
  { actor, params: { rule }, ...asked }: Asked & { params: { rule: string } },
  id: string,
  { format, ...query }: RowsFileQuery,
) {
  const answer = () => getRuleFindings(actor, id, rule, query, asked.request.signal);
  return answerInFormat(asked, format, answer, (shape) => exportRuleFindings(actor, id, rule, query, shape));
}
