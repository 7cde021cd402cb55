import { CommandFailed, EXIT } from '@/cli/exit';
import { type Gate, listUncompared, type OutputFormat, violatesAny } from '@/cli/fail-on';
import { print } from '@/cli/print';
import type { SnapshotSource } from '@/cli/snapshot-source';
import { safe } from '@/cli/units';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { listRules } from '@/lib/policies/list-rules';
import { formatFindings } from './findings-output';
import { formatUnevaluated } from './findings-rows';
import { formatPartialReason } from './partial-text';
import { formatScanOutput } from './scan-output';

/** Prints the result of a scan, with findings where the options ask for them. Returns the exit code. */
export async function printScan(
  source: SnapshotSource,
  {
    format,
    fails,
    since,
    withFindings,
  }: { format: OutputFormat; fails: Gate; since: string | undefined; withFindings: boolean },
): Promise<number> {
  const manifest = await source.readManifest();
  const { report } = await source.readReport('overview', {});
  const findings = withFindings ? await source.readFindings({}, since) : null;
  await print(source.draw(() => formatScanOutput(format, manifest, report, findings, listRules().rules)));
  return findings === null ? EXIT.fine : judgeFindings(manifest, findings, fails);
}

/** Prints the findings of a snapshot. Returns the exit code. */
export async function printFindings(
  source: SnapshotSource,
  query: ReportQuery,
  { format, fails, since }: { format: OutputFormat; fails: Gate; since: string | undefined },
): Promise<number> {
  const report = await source.readFindings(query, since);
  const manifest = await source.readManifest();
  await print(source.draw(() => formatFindings(format, manifest, report, listRules().rules)));
  return judgeFindings(manifest, report, fails);
}

function judgeFindings(manifest: SnapshotManifest, findings: FindingsReport, fails: Gate): number {
  if (fails.onlyNew && findings.previous === null)
    throw new CommandFailed(
      'There is no snapshot to compare with, so nothing can be called new. Choose a baseline for the instance, or name a snapshot with --since.',
      EXIT.usage,
    );
  process.stderr.write(formatFindingsWarnings(manifest, findings, fails));
  return violatesAny(findings, fails) ? EXIT.findings : EXIT.fine;
}

/**
 * Warnings for a pipeline that fails if rules of the strengths `fails` are violated: rules that were not evaluated do not
 * count as violated, and an incomplete scan has not read all keys. Lines for stderr; empty: there is nothing to report.
 */
export function formatFindingsWarnings(manifest: SnapshotManifest, report: FindingsReport, fails: Gate): string {
  const unknown = report.rules.filter(
    ({ strength, status }) => fails.strengths.includes(strength) && status === 'unknown',
  );
  const uncompared = listUncompared(report, fails);
  const { partial, skipped, partialReasons } = manifest.coverage;
  const reasons = [
    ...(skipped.length > 0 ? [`nodes skipped: ${skipped.length}`] : []),
    ...partialReasons.map((reason) => safe(formatPartialReason(reason))),
  ];
  return [
    ...(partial
      ? [`The scan is incomplete: ${reasons.join('; ') || 'unfinished'}. Keys that were not read were not checked.`]
      : []),
    ...(unknown.length > 0
      ? [`Not evaluated, because facts are missing: ${unknown.map(formatUnevaluated).join(', ')}.`]
      : []),
    ...(uncompared.length > 0
      ? [`Violated, but not about single keys, so not compared: ${uncompared.map(safe).join(', ')}.`]
      : []),
  ]
    .map((line) => `colonnade: ${line}\n`)
    .join('');
}
