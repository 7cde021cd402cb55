import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { BigkeysReport, ReportEnvelope, ReportName, ReportResults, TreeReport } from '@/lib/model/reports/reports';
import { findEvaluated } from '@/lib/rules/findings/read-findings';
import { rollUpMissing } from '@/lib/rules/findings/roll-up-soon';
import { withRules } from '@/lib/rules/findings/with-rules';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import { pickPageByFindings, toWholeLevelQuery } from '@/lib/rules/report/order-by-findings';
import { addTreeFindings, addViolations } from '@/lib/rules/report/tree-findings';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';
import { cacheAnswer, getCachedAnswer } from '@/lib/snapshots/reports/answer-cache';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { findPreparation } from '@/lib/store/preparations';
import { querySnapshot } from './query-snapshot';
import { shareLiveAnswer } from './share-live-answer';

/** Returns one report of one snapshot, sealed or still being written (`live`). */
export const getReport = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async <N extends ReportName>(
    actor: Actor,
    id: string,
    name: N,
    query: ReportQuery,
    signal?: AbortSignal,
  ): Promise<ReportEnvelope<ReportResults[N]>> => {
    return querySnapshot(
      actor,
      id,
      shareLiveAnswer(buildSharingKey(name, query), async (snapshot) => {
        const preparing = snapshot.manifest.state === 'sealed' ? await findPreparation(id) : null;
        const ref = await withRules(snapshot, query);
        // A level of the tree that is ordered by findings is read whole, and the page is picked after they are added.
        const wholeLevel = name === 'tree' ? toWholeLevelQuery(query) : null;
        const neededQuery = wholeLevel ?? query;
        const envelope = await runReport(ref, name, neededQuery, { onMissingRollup: () => rollUpMissing(id) });
        const withFindings = await addFindings(ref, name, neededQuery, envelope);
        const answer =
          wholeLevel === null
            ? withFindings
            : {
                ...withFindings,
                report: pickPageByFindings(withFindings.report as TreeReport, query) as ReportResults[N],
              };
        return preparing === null ? answer : { ...answer, preparing };
      }),
      signal,
    );
  },
);

/**
 * Fields of queries that pages send without a filter. Only such queries are shared, because a filter or a later page is
 * requested by one reader.
 */
const SHARED_FIELDS: ReadonlySet<string> = new Set<keyof ReportQuery>(['sort', 'limit', 'nested', 'days']);
/** Reports that are not shared: pages of keys are requested by one reader, and an answer about slots has megabytes. */
const UNSHARED_REPORTS: readonly ReportName[] = ['keys', 'bigkeys', 'slots'];

/** Returns what identifies a query that several readers may send; null: its answer is not shared. */
function buildSharingKey(name: ReportName, query: ReportQuery): readonly unknown[] | null {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  if (UNSHARED_REPORTS.includes(name) || !fields.every(([field]) => SHARED_FIELDS.has(field))) return null;
  return [name, fields.sort(([a], [b]) => (a < b ? -1 : 1))];
}

/**
 * Adds findings to the nodes of a tree and to bigkeys. They are added after the report, which may come from a cache
 * that does not depend on a policy. It never waits for an evaluation: if there is none yet, the report is returned
 * unchanged.
 */
export async function addFindings<N extends ReportName>(
  ref: SnapshotRef,
  name: N,
  query: ReportQuery,
  envelope: ReportEnvelope<ReportResults[N]>,
): Promise<ReportEnvelope<ReportResults[N]>> {
  if ((name !== 'tree' && name !== 'bigkeys') || envelope.live) return envelope;
  const evaluated = await findEvaluated(ref, await getEffectivePolicy(ref.manifest.instanceId));
  if (evaluated === null) return envelope;
  const { compiled, meta } = evaluated;
  const { id, endedAt, fileBytes } = ref.manifest;
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  const cacheKey = JSON.stringify([ref.dir, id, endedAt, fileBytes, compiled.hash, `${name}+findings`, fields.sort()]);
  const cached = getCachedAnswer(cacheKey) as ReportResults[N] | undefined;
  if (cached !== undefined) return { ...envelope, report: cached };
  const report = await withSource<TreeReport | BigkeysReport>(evaluated.ref, (source) =>
    name === 'tree'
      ? addTreeFindings(source, compiled, meta, query, envelope.report as TreeReport)
      : addViolations(source, compiled, envelope.report as BigkeysReport),
  );
  cacheAnswer(cacheKey, report);
  return { ...envelope, report: report as ReportResults[N] };
}
