import type { HtmlReportQuery } from '@/lib/model/reports/file-query';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { ProfileBody } from '@/lib/model/rules/policy';
import { getBigkeyThresholds } from '@/lib/rules/bigkey-thresholds';
import { readFindings } from '@/lib/rules/findings/read-findings';
import { toPolicy } from '@/lib/rules/policy/effective-policy';
import { presets } from '@/lib/rules/profiles/presets';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { writeInstanceReport } from './html-report/write-instance-report';
import { writeStandardReport } from './html-report/write-standard-report';

export { readManifest };

/**
 * Returns one report of a snapshot folder that is in no store, for the command line. `profile` has the thresholds of
 * bigkeys; null: the standards' thresholds. Errors: `not_found`, `snapshot_unreadable`.
 */
export async function runFolderReport<N extends ReportName>(
  dir: string,
  name: N,
  query: ReportQuery,
  profile: ProfileBody | null,
): Promise<ReportEnvelope<ReportResults[N]>> {
  const manifest = await readManifest(dir);
  const snapshot = { dir, manifest, ...(profile && { bigkeys: getBigkeyThresholds(profile) }) };
  return runReport(snapshot, name, query);
}

/**
 * Evaluates a snapshot folder that is in no store against a profile, for the command line. `query` selects the keys.
 * Errors: `not_found`, `snapshot_unreadable`.
 */
export async function evaluateFolder(
  dir: string,
  profile: ProfileBody,
  query: ReportQuery = {},
): Promise<FindingsReport> {
  return readFindings({ dir, manifest: await readManifest(dir) }, toPolicy(profile), query);
}

/** Returns the HTML report of a snapshot folder that is in no store. Errors: as above. */
export async function writeFolderReport(
  dir: string,
  profile: ProfileBody,
  { language, standard }: HtmlReportQuery,
): Promise<string> {
  const manifest = await readManifest(dir);
  if (standard !== undefined) {
    const findings = await evaluateFolder(dir, presets.get(standard)!);
    return writeStandardReport({ manifest, standard, findings }, language);
  }
  const overview = (await runFolderReport(dir, 'overview', {}, profile)).report;
  const bigkeys = (await runFolderReport(dir, 'bigkeys', { limit: 20 }, profile)).report;
  const findings = await evaluateFolder(dir, profile);
  return writeInstanceReport({ manifest, overview, bigkeys, findings, team: null }, language);
}
