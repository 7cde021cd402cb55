import { verb } from '@/lib/auth/verb';
import { ofSnapshot } from '@/lib/auth/verb-scopes';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { pageByFindings, wholeLevel } from '@/lib/findings/report/order-by-findings';
import { rollUpMissing } from '@/lib/findings/roll-up-soon';
import { shareWhileLive } from '@/lib/findings/share-while-live';
import { withRules } from '@/lib/findings/with-rules';
import type { Actor } from '@/lib/model/actor';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope, ReportName, ReportResults, TreeReport } from '@/lib/model/reports/reports';
import { preparationOf } from '@/lib/offload/preparations';
import { runReport } from '@/lib/reports/run-report';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
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
      shared(id, name, query, async (snapshot) => {
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
const COMMON: ReadonlySet<string> = new Set<keyof ReportQuery>(['sort', 'limit', 'nested', 'days', 'masters']);
const LISTS: readonly ReportName[] = ['keys', 'bigkeys'];

/** Of a running scan one answer serves all who look on. */
function shared<T>(id: string, name: ReportName, query: ReportQuery, ask: (ref: SnapshotRef) => Promise<T>) {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  const isCommon = !LISTS.includes(name) && fields.every(([field]) => COMMON.has(field));
  return async (ref: SnapshotRef): Promise<T> => {
    if (ref.manifest.state !== 'live' || !isCommon) return ask(ref);
    const { hash } = await effectivePolicy(ref.manifest.instanceId);
    const key = JSON.stringify([id, name, hash, fields.sort(([a], [b]) => (a < b ? -1 : 1))]);
    const { signal: _, ...alone } = ref;
    return shareWhileLive(key, () => ask(alone));
  };
}
