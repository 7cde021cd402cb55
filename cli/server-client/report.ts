import { CommandFailed, EXIT, UsageError } from '@/cli/exit';
import { FINDINGS_OPTIONS, parseFailOn, parseFormat, violatesAny } from '@/cli/fail-on';
import { FILTER_OPTIONS, joinNegative, parseReportName, parseReportQuery } from '@/cli/input/report-arguments';
import { formatFindings } from '@/cli/output/findings-output';
import { formatFindingsWarnings } from '@/cli/output/findings-warnings';
import { formatReportText } from '@/cli/output/report-text';
import { safe } from '@/cli/units';
import { findNewestSealed } from '@/lib/model/reports/fleet';
import type { ReportName, ReportResults } from '@/lib/model/reports/reports';
import { listRules } from '@/lib/policies/list-rules';
import { SnapshotsAnswer } from './answer-shapes';
import { askReport, fetchSnapshot, parseFindings } from './ask-report';
import { findInstance } from './find-instance';
import { keepAsking } from './keep-asking';
import { printDrawn, printFormatted, printJson } from './print-answer';
import { readArguments, readServerAccess, type ServerAccess } from './server-access';

const OPTIONS = {
  snapshot: { type: 'string' },
  ...FINDINGS_OPTIONS,
  ...FILTER_OPTIONS,
} as const;

/** `colonnade report --server URL INSTANCE [REPORT]`: by default of the newest snapshot of the whole keyspace. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(joinNegative(args), OPTIONS);
  const [nameOrId, name = 'overview', ...more] = positionals;
  if (nameOrId === undefined || more.length > 0) throw new UsageError('Give one instance, and at most one report.');
  if (name !== 'findings') parseReportName(name);
  const given = values as Record<string, string | boolean | undefined>;
  const filter = Object.fromEntries(
    Object.keys(FILTER_OPTIONS).flatMap((field) => (typeof given[field] === 'string' ? [[field, given[field]]] : [])),
  ) as Record<string, string>;
  // Checked here, so that a wrong option is reported without asking the server.
  parseReportQuery(filter);
  const format = parseFormat(values);
  const fails = parseFailOn(values['fail-on']);
  if (name !== 'findings' && (fails.length > 0 || format === 'markdown' || format === 'sarif'))
    throw new UsageError('--fail-on, --markdown and --sarif go with the report findings.');
  const access = readServerAccess(values);
  const { id } = await findInstance(access, nameOrId);
  const snapshotId = await findChosenSnapshot(access, id, values.snapshot ?? 'latest');
  const answer = await askReport(access, snapshotId, name, filter);
  if (name === 'findings') return reportFindings(access, snapshotId, answer, format, fails);
  if (format === 'json') await printJson(answer);
  else {
    const { snapshot } = await fetchSnapshot(access, snapshotId);
    const report = answer.report as unknown as ReportResults[ReportName];
    await printDrawn(access, () => formatReportText(name as ReportName, snapshot, report));
  }
  return EXIT.fine;
}

async function reportFindings(
  access: ServerAccess,
  snapshotId: string,
  answer: Awaited<ReturnType<typeof askReport>>,
  format: ReturnType<typeof parseFormat>,
  fails: ReturnType<typeof parseFailOn>,
): Promise<number> {
  const report = parseFindings(access, answer);
  const { snapshot } = await fetchSnapshot(access, snapshotId);
  await printFormatted(access, format, () => formatFindings(format, snapshot, report, listRules().rules));
  process.stderr.write(formatFindingsWarnings(snapshot, report, fails));
  return violatesAny(report, fails) ? EXIT.findings : EXIT.fine;
}

/** The id of the newest snapshot of the whole keyspace (`latest`), or of the one with this id. Throws CommandFailed. */
async function findChosenSnapshot(access: ServerAccess, instanceId: string, wanted: string): Promise<string> {
  const path = `/api/instances/${instanceId}/snapshots`;
  const { snapshots } = await keepAsking(access, { path }, SnapshotsAnswer);
  const newest = findNewestSealed(snapshots);
  const latest = newest?.isPart ? null : newest;
  const found = wanted === 'latest' ? latest : snapshots.find(({ id }) => id === wanted);
  if (found) return found.id;
  throw new CommandFailed(
    wanted === 'latest'
      ? 'This instance has no snapshot of its whole keyspace yet: run colonnade scan.'
      : `This instance has no snapshot "${safe(wanted)}".`,
    EXIT.usage,
  );
}
