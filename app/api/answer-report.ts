import { answerInFormat, refuseFieldsOfFiles } from '@/app/api/answer-in-format';
import type { Actor } from '@/lib/model/actor';
import type { FindingsFileQuery, ReportFileQuery, RuleFileQuery } from '@/lib/model/reports/file-query';
import type { ReportName } from '@/lib/model/reports/reports';
import { exportFindings } from '@/lib/scans/export/export-findings';
import { exportReport } from '@/lib/scans/export/export-report';
import { exportRuleFindings } from '@/lib/scans/export/export-rule-findings';
import { getFindings, getRuleFindings } from '@/lib/scans/get-findings';
import { getReport } from '@/lib/scans/get-report';

type Asked = Parameters<typeof answerInFormat>[0] & { actor: Actor };

/**
 * The answers of the report routes: a report of a snapshot as JSON, or one of its tables as a file. `snapshotId` is
 * already resolved, from the path or from the instance and `latest`.
 */
export function answerReport(
  { actor, report, ...asked }: Asked & { report: ReportName },
  snapshotId: string,
  { format, table, ...query }: ReportFileQuery,
) {
  refuseFieldsOfFiles(format, { table });
  const readJson = () => getReport(actor, snapshotId, report, query, asked.request.signal);
  return answerInFormat(asked, format, readJson, (file) =>
    exportReport(actor, snapshotId, report, query, { ...file, table }),
  );
}

export function answerFindings(
  { actor, ...asked }: Asked,
  snapshotId: string,
  { format, table, only, area, ...query }: FindingsFileQuery,
) {
  const choice = { table, only, area };
  refuseFieldsOfFiles(format, choice);
  const readJson = () => getFindings(actor, snapshotId, query, asked.request.signal);
  return answerInFormat(asked, format, readJson, (file) =>
    exportFindings(actor, snapshotId, query, { ...file, ...choice }),
  );
}

export function answerRuleFindings(
  { actor, rule, ...asked }: Asked & { rule: string },
  snapshotId: string,
  { format, ...query }: RuleFileQuery,
) {
  const readJson = () => getRuleFindings(actor, snapshotId, rule, query, asked.request.signal);
  return answerInFormat(asked, format, readJson, (file) => exportRuleFindings(actor, snapshotId, rule, query, file));
}
