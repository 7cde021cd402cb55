import type { FindingsReport } from '@/lib/model/rules/findings';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { getPolicyThresholds } from '@/lib/rules/policy/policy-thresholds';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { appendEvent } from '@/lib/store/events';
import { runTransaction } from '@/lib/store/open-store';
import { getSnapshotRow, updateSnapshot } from '@/lib/store/snapshots';
import { readFindings } from './read-findings';

/** Evaluates a sealed snapshot and stores its score and counts in the index of snapshots, for the fleet page. */
export async function keepScore(
  ref: SnapshotRef,
  policy: EffectivePolicy,
  signal?: AbortSignal,
): Promise<FindingsReport> {
  const report = await readFindings(ref, policy, {}, signal);
  // The thresholds in the profile decide which keys are bigkeys.
  const { report: overview } = await runReport(
    { ...ref, bigkeys: getPolicyThresholds(policy) },
    'overview',
    {},
    { signal },
  );
  await noteScore(ref.manifest, report, { bigkeys: overview.bigkeys });
  return report;
}

/** Stores the score and the counts of a report. The first time under a policy this is an event for trends and alerts. */
export async function noteScore(
  { id, instanceId }: Pick<SnapshotManifest, 'id' | 'instanceId'>,
  report: FindingsReport,
  counts: { bigkeys?: number | null } = {},
): Promise<void> {
  const { policyHash } = report;
  await runTransaction(async (tx) => {
    const isFirst = (await getSnapshotRow(id, tx))?.policyHash !== policyHash;
    const known = await updateSnapshot(
      id,
      {
        ...counts,
        score: report.score.score,
        mandatoryKeys: report.mandatory.keys,
        recommendedKeys: report.recommended.keys,
        adviceKeys: report.advice.keys,
        policyHash,
      },
      tx,
    );
    if (known && isFirst)
      await appendEvent({ kind: 'snapshot.evaluated', subject: id, instanceId, details: { policyHash } }, tx);
  });
}
