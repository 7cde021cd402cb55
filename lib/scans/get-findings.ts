import { verb } from '@/lib/access/auth/verb';
import { ofSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope } from '@/lib/model/reports/reports';
import type { FindingsReport, RuleFindingReport } from '@/lib/model/rules/findings';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { asOfSnapshot } from '@/lib/model/snapshots/snapshot';
import { findingsOf, ruleFindingsOf } from '@/lib/rules/findings/findings-of';
import { noteScore } from '@/lib/rules/findings/keep-score';
import { effectivePolicy } from '@/lib/rules/policy/effective-policy';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import * as store from '@/lib/store/snapshots';
import { addChange, changesSince, previousOf } from './add-changes';
import { askShared } from './ask-shared';
import { askSnapshot } from './ask-snapshot';

/** Returns what the rules of the instance's policy find in one snapshot, or in the keys that the query selects. */
export const getFindings = verb(
  { needs: 'instance.read', on: ofSnapshot },
  async (
    actor: Actor,
    id: string,
    query: ReportQuery,
    signal?: AbortSignal,
  ): Promise<ReportEnvelope<FindingsReport>> => {
    const ofAll = Object.values(query).every((value) => value === undefined);
    return enveloped(actor, id, { signal, shared: ofAll ? 'findings' : null }, async (ref) => {
      const { manifest } = ref;
      const policy = await effectivePolicy(manifest.instanceId);
      const report = await findingsOf(ref, policy, query);
      if (ofAll) await noteWhenNew(id, manifest, report);
      const { previous, changes } = await changesSince(manifest, policy, query);
      return {
        ...report,
        previous: previousOf(previous, report.policyHash, query),
        rules: report.rules.map((finding) => addChange(finding, changes)),
      };
    });
  },
);

/**
 * Returns where one rule is violated: prefixes and groups with an example of each. Errors: `not_found` for a rule that
 * is off.
 */
export const getRuleFindings = verb(
  { needs: 'instance.read', on: ofSnapshot },
  async (
    actor: Actor,
    id: string,
    rule: string,
    query: ReportQuery,
    signal?: AbortSignal,
  ): Promise<ReportEnvelope<RuleFindingReport>> => {
    return enveloped(actor, id, { signal, shared: null }, async (ref) => {
      const { manifest } = ref;
      const policy = await effectivePolicy(manifest.instanceId);
      const report = await ruleFindingsOf(ref, policy, rule, query);
      const { changes } = await changesSince(manifest, policy, query);
      return { ...report, finding: addChange(report.finding, changes) };
    });
  },
);

/**
 * Runs a query about findings and adds the envelope. `shared`: the name of a query about all keys, whose answer serves
 * all readers while the scan runs; null: it is not shared.
 */
async function enveloped<T>(
  actor: Actor,
  id: string,
  { signal, shared }: { signal: AbortSignal | undefined; shared: string | null },
  ask: (ref: SnapshotRef) => Promise<T>,
): Promise<ReportEnvelope<T>> {
  const began = performance.now();
  const find = async (ref: SnapshotRef) => {
    // Taken before the report is computed, because keys that the scan reads meanwhile are not in it.
    const asOf = asOfSnapshot(ref.manifest);
    const report = await ask(ref);
    return {
      snapshotId: id,
      live: ref.manifest.state !== 'sealed',
      asOf,
      keysInSnapshot: ref.manifest.keys,
      tookMs: Math.round(performance.now() - began),
      report,
    };
  };
  return askSnapshot(actor, id, askShared(shared === null ? null : [shared], find), signal);
}

async function noteWhenNew(id: string, manifest: SnapshotManifest, report: FindingsReport): Promise<void> {
  if (manifest.state !== 'sealed') return;
  if ((await store.getSnapshotRow(id))?.policyHash !== report.policyHash) await noteScore(id, report);
}
