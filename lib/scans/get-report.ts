import { verb } from '@/lib/auth/verb';
import { ofSnapshot } from '@/lib/auth/verb-scopes';
import { rollUpMissing } from '@/lib/findings/roll-up-soon';
import { withRules } from '@/lib/findings/with-rules';
import type { Actor } from '@/lib/model/actor';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';
import { preparationOf } from '@/lib/offload/preparations';
import { runReport } from '@/lib/reports/run-report';
import { addFindings } from './add-findings';
import { askSnapshot } from './ask-snapshot';

/** One report of one snapshot, sealed or still being written (`live`). */
export const getReport = verb(
  { needs: 'instance.read', on: ofSnapshot },
  async <N extends ReportName>(
    actor: Actor,
    id: string,
    name: N,
    query: ReportQuery,
    signal?: AbortSignal,
  ): Promise<ReportEnvelope<ReportResults[N]>> => {
    return askSnapshot(
      actor,
      id,
      async (snapshot) => {
        const preparing = preparationOf(snapshot.dir);
        const ref = await withRules(snapshot, query);
        const envelope = await runReport(ref, name, query, { onMissingRollup: () => rollUpMissing(id) });
        const answer = await addFindings(ref, name, query, envelope);
        return preparing === null ? answer : { ...answer, preparing };
      },
      signal,
    );
  },
);
