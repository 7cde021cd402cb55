import { evaluatedOf } from '@/lib/findings/findings-of';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { addTreeFindings, addViolations } from '@/lib/findings/report/tree-findings';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { BigkeysReport, ReportEnvelope, ReportName, ReportResults, TreeReport } from '@/lib/model/reports/reports';
import { cacheAnswer, cachedAnswer } from '@/lib/reports/answer-cache';
import { type SnapshotRef, withSource } from '@/lib/snapshots/query/with-source';

/**
 * Tree nodes and bigkeys with what the rules say of them. Added after the report, which may come from an answer that
 * knows no policy; never waited for: what was not evaluated yet is not known.
 */
export async function addFindings<N extends ReportName>(
  ref: SnapshotRef,
  name: N,
  query: ReportQuery,
  envelope: ReportEnvelope<ReportResults[N]>,
): Promise<ReportEnvelope<ReportResults[N]>> {
  if ((name !== 'tree' && name !== 'bigkeys') || envelope.live) return envelope;
  const evaluated = await evaluatedOf(ref, await effectivePolicy(ref.manifest.instanceId));
  if (evaluated === null) return envelope;
  const { compiled, meta } = evaluated;
  const { id, endedAt, fileBytes } = ref.manifest;
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  const key = JSON.stringify([ref.dir, id, endedAt, fileBytes, compiled.hash, `${name}+findings`, fields.sort()]);
  const recent = cachedAnswer(key) as ReportResults[N] | undefined;
  if (recent !== undefined) return { ...envelope, report: recent };
  const report = await withSource<TreeReport | BigkeysReport>(evaluated.ref, (source) =>
    name === 'tree'
      ? addTreeFindings(source, compiled, meta, query, envelope.report as TreeReport)
      : addViolations(source, compiled, envelope.report as BigkeysReport),
  );
  cacheAnswer(key, report);
  return { ...envelope, report: report as ReportResults[N] };
}
