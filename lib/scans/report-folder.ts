import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';
import type { SnapshotManifest } from '@/lib/model/snapshot';
import { runReport } from '@/lib/reports/run-report';
import { readManifest } from '@/lib/snapshots/manifest';

/** One report of a snapshot folder that no store knows: for the command line. Errors: `not_found`, `snapshot_unreadable`. */
export async function reportFolder<N extends ReportName>(
  dir: string,
  name: N,
  query: ReportQuery,
): Promise<{ manifest: SnapshotManifest; envelope: ReportEnvelope<ReportResults[N]> }> {
  const manifest = await readManifest(dir);
  return { manifest, envelope: await runReport({ dir, manifest }, name, query) };
}
