import { effectivePolicy } from '@/lib/findings/effective-policy';
import { findingsOf, ruleFindingsOf } from '@/lib/findings/findings-of';
import { noteScore } from '@/lib/findings/keep-score';
import type { Actor } from '@/lib/model/actor';
import type { FindingsReport, RuleFindingReport } from '@/lib/model/findings';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope } from '@/lib/model/reports/reports';
import type { SnapshotManifest } from '@/lib/model/snapshot';
import * as store from '@/lib/store/snapshots';
import { addChange, changesSince, previousOf } from './add-changes';
import { getSnapshot } from './get-snapshot';
import { snapshotFolder } from './snapshot-folder';

/** What the rules of the instance's policy find in one snapshot, or in what the query leaves of it. */
export function getFindings(actor: Actor, id: string, query: ReportQuery): Promise<ReportEnvelope<FindingsReport>> {
  return enveloped(actor, id, async (manifest) => {
    const policy = await effectivePolicy(manifest.instanceId);
    const report = await findingsOf({ dir: snapshotFolder(id), manifest }, policy, query);
    if (Object.values(query).some((value) => value !== undefined)) return report;
    await noteWhenNew(id, manifest, report);
    const { previous, changes } = await changesSince(manifest, policy);
    return {
      ...report,
      previous: previousOf(previous, report.policyHash),
      rules: report.rules.map((finding) => addChange(finding, changes)),
    };
  });
}

/** Where one rule is broken: prefixes, groups, an example of each. Errors: `not_found` for a rule that is off. */
export function getRuleFindings(
  actor: Actor,
  id: string,
  rule: string,
  query: ReportQuery,
): Promise<ReportEnvelope<RuleFindingReport>> {
  return enveloped(actor, id, async (manifest) => {
    const policy = await effectivePolicy(manifest.instanceId);
    const report = await ruleFindingsOf({ dir: snapshotFolder(id), manifest }, policy, rule, query);
    if (Object.values(query).some((value) => value !== undefined)) return report;
    const { changes } = await changesSince(manifest, policy);
    return { ...report, finding: addChange(report.finding, changes) };
  });
}

async function enveloped<T>(
  actor: Actor,
  id: string,
  ask: (manifest: SnapshotManifest) => Promise<T>,
): Promise<ReportEnvelope<T>> {
  const began = performance.now();
  const manifest = await getSnapshot(actor, id);
  const report = await ask(manifest);
  return {
    snapshotId: id,
    live: manifest.state !== 'sealed',
    asOf: manifest.endedAt ?? Date.now(),
    keysInSnapshot: manifest.keys,
    tookMs: Math.round(performance.now() - began),
    report,
  };
}

async function noteWhenNew(id: string, manifest: SnapshotManifest, report: FindingsReport): Promise<void> {
  if (manifest.state !== 'sealed') return;
  if ((await store.getSnapshot(id))?.policyHash !== report.policyHash) await noteScore(id, report);
}
