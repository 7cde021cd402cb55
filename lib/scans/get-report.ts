import { verb } from '@/lib/auth/verb';
import { ofSnapshot } from '@/lib/auth/verb-scopes';
import { pageByFindings, wholeLevel } from '@/lib/findings/report/order-by-findings';
import { rollUpMissing } from '@/lib/findings/roll-up-soon';
import { withRules } from '@/lib/findings/with-rules';
import type { Actor } from '@/lib/model/actor';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope, ReportName, ReportResults, TreeReport } from '@/lib/model/reports/reports';
import { preparationOf } from '@/lib/offload/preparations';
import { runReport } from '@/lib/reports/run-report';
import { addFindings } from './add-findings';
import { askShared } from './ask-shared';
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
      askShared(questionOf(name, query), async (snapshot) => {
        const preparing = preparationOf(snapshot.dir);
        const ref = await withRules(snapshot, query);
        const whole = name === 'tree' ? wholeLevel(query) : null;
        const asked = whole ?? query;
        const envelope = await runReport(ref, name, asked, { onMissingRollup: () => rollUpMissing(id) });
        const found = await addFindings(ref, name, asked, envelope);
        const answer =
          whole === null
            ? found
            : { ...found, report: pageByFindings(found.report as TreeReport, query) as ReportResults[N] };
        return preparing === null ? answer : { ...answer, preparing };
      }),
      signal,
    );
  },
);

/** What pages ask without a filter: filters are typed, and lists turned page by page, by one reader each. */
const COMMON: ReadonlySet<string> = new Set<keyof ReportQuery>(['sort', 'limit', 'nested', 'days']);
/** Answers about slots are megabytes, too much to keep. */
const OWN: readonly ReportName[] = ['keys', 'bigkeys', 'slots'];

function questionOf(name: ReportName, query: ReportQuery): readonly unknown[] | null {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  if (OWN.includes(name) || !fields.every(([field]) => COMMON.has(field))) return null;
  return [name, fields.sort(([a], [b]) => (a < b ? -1 : 1))];
}
