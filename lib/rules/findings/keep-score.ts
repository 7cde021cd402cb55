import type { FindingsReport } from '@/lib/model/rules/findings';
import type { EffectivePolicy } from '@/lib/model/rules/policy';
import { getPolicyThresholds } from '@/lib/rules/policy/policy-thresholds';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import { runReport } from '@/lib/snapshots/reports/run-report';
import { updateSnapshot } from '@/lib/store/snapshots';
import { readFindings } from './read-findings';

/** Evaluates a sealed snapshot and stores its score and counts in the index of snapshots, for the fleet page. */
export async function keepScore(
  ref: SnapshotRef,
  policy: EffectivePolicy,
  signal?: AbortSignal,
): Promise<FindingsReport> {
  const report = await readFindings(ref, policy, {}, signal);
  await noteScore(ref.manifest.id, report);
  // The thresholds in the profile decide which keys are bigkeys.
  const { report: overview } = await runReport(
    { ...ref, bigkeys: getPolicyThresholds(policy) },
    'overview',
    {},
    { signal },
  );
  await updateSnapshot(ref.manifest.id, { bigkeys: overview.bigkeys });
  return report;
}

/** Stores the score and the counts of a report. */
export async function noteScore(snapshotId: string, report: FindingsReport): Promise<void> {
  await updateSnapshot(snapshotId, {
    score: report.score.score,
    mandatoryKeys: report.mandatory.keys,
    recommendedKeys: report.recommended.keys,
    adviceKeys: report.advice.keys,
    policyHash: report.policyHash,
  });
}
