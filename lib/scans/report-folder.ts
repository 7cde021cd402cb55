import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';
import type { ProfileBody } from '@/lib/model/rules/policy';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { getBigkeyThresholds } from '@/lib/rules/bigkey-thresholds';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { runReport } from '@/lib/snapshots/reports/run-report';

/**
 * Returns one report of a snapshot folder that no store knows, for the command line. `profile` has the thresholds of
 * bigkeys; null: the standards' thresholds. Errors: `not_found`, `snapshot_unreadable`.
 */
export async function reportFolder<N extends ReportName>(
  dir: string,
  name: N,
  query: ReportQuery,
  profile: ProfileBody | null = null,
): Promise<{ manifest: SnapshotManifest; envelope: ReportEnvelope<ReportResults[N]> }> {
  const manifest = await readManifest(dir);
  return {
    manifest,
    envelope: await runReport(
      { dir, manifest, ...(profile && { bigkeys: getBigkeyThresholds(profile) }) },
      name,
      query,
    ),
  };
}
