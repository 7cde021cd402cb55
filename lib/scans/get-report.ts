import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';
import { runReport } from '@/lib/reports/run-report';
import { addFindings } from './add-findings';
import { getSnapshot } from './get-snapshot';
import { snapshotFolder } from './snapshot-folder';
import { withRules } from './with-rules';

/** Files of a running scan go away under a reader when it seals, or reads a node again. Then the question is asked anew. */
const TRIES = 3;

/** One report of one snapshot, sealed or still being written (`live`). */
export async function getReport<N extends ReportName>(
  actor: Actor,
  id: string,
  name: N,
  query: ReportQuery,
): Promise<ReportEnvelope<ReportResults[N]>> {
  for (let attempt = 1; ; attempt++) {
    const manifest = await getSnapshot(actor, id);
    try {
      const ref = await withRules({ dir: snapshotFolder(id), manifest }, query);
      return await addFindings(ref, name, query, await runReport(ref, name, query));
    } catch (error) {
      const moved = manifest.state === 'live' && error instanceof AppError && error.code === 'snapshot_unreadable';
      if (!moved || attempt === TRIES) throw error;
    }
  }
}
