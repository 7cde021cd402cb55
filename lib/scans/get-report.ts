import type { Actor } from '@/lib/model/actor';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';
import { runReport } from '@/lib/reports/run-report';
import { getSnapshot } from './get-snapshot';
import { snapshotFolder } from './snapshot-folder';

/** One report of one snapshot, sealed or still being written (`live`). */
export async function getReport<N extends ReportName>(
  actor: Actor,
  id: string,
  name: N,
  query: ReportQuery,
): Promise<ReportEnvelope<ReportResults[N]>> {
  const manifest = await getSnapshot(actor, id);
  return runReport({ dir: snapshotFolder(id), manifest }, name, query);
}
