import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import { SINCE_PREVIOUS } from '@/lib/model/comparison/comparison-words';
import { type FindingsQuery, isChosenByServer } from '@/lib/model/comparison/since';
import type { ReportEnvelope } from '@/lib/model/reports/reports';
import type { FindingsReport, RuleFindingReport } from '@/lib/model/rules/findings';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { getSnapshotAsOf } from '@/lib/model/snapshots/snapshot';
import { noteScore } from '@/lib/rules/findings/keep-score';
import { readFindings, readRuleFindings } from '@/lib/rules/findings/read-findings';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import * as store from '@/lib/store/snapshots';
import { addKeyChanges, describePrevious, findChangesSince } from './compare/find-changes';
import { getSnapshot } from './get-snapshot';
import { querySnapshot } from './query-snapshot';
import { shareLiveAnswer } from './share-live-answer';

/** Returns what the rules of the instance's policy find in one snapshot, or in the keys that the query selects. */
export const getFindings = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (
    actor: Actor,
    id: string,
    { since = SINCE_PREVIOUS, ...query }: FindingsQuery,
    signal?: AbortSignal,
  ): Promise<ReportEnvelope<FindingsReport>> => {
    await requireVisible(actor, since);
    const hasNoFilter = Object.values(query).every((value) => value === undefined);
    return queryInEnvelope(actor, id, { signal, sharedName: hasNoFilter ? `findings ${since}` : null }, async (ref) => {
      const { manifest } = ref;
      const policy = await getEffectivePolicy(manifest.instanceId);
      const report = await readFindings(ref, policy, query);
      if (hasNoFilter) await storeNewScore(id, manifest, report);
      const { previous, changes } = await findChangesSince(manifest, policy, query, since);
      return {
        ...report,
        previous: describePrevious(previous, report.policyHash, query),
        rules: report.rules.map((finding) => addKeyChanges(finding, changes)),
      };
    });
  },
);

/**
 * Returns where one rule is violated: prefixes and groups with an example of each. Errors: `not_found` for a rule that
 * is off.
 */
export const getRuleFindings = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (
    actor: Actor,
    id: string,
    rule: string,
    { since = SINCE_PREVIOUS, ...query }: FindingsQuery,
    signal?: AbortSignal,
  ): Promise<ReportEnvelope<RuleFindingReport>> => {
    await requireVisible(actor, since);
    return queryInEnvelope(actor, id, { signal, sharedName: null }, async (ref) => {
      const { manifest } = ref;
      const policy = await getEffectivePolicy(manifest.instanceId);
      const report = await readRuleFindings(ref, policy, rule, query);
      const { changes } = await findChangesSince(manifest, policy, query, since);
      return { ...report, finding: addKeyChanges(report.finding, changes) };
    });
  },
);

/** Errors: `not_found` if the reader may not see the snapshot since which changes are counted. */
async function requireVisible(actor: Actor, since: string): Promise<void> {
  if (!isChosenByServer(since)) await getSnapshot(actor, since);
}

/**
 * Runs a query about findings and adds the envelope. `sharedName`: the name of a query about all keys, whose answer
 * serves all readers while the scan runs; null: the answer is not shared.
 */
async function queryInEnvelope<T>(
  actor: Actor,
  id: string,
  { signal, sharedName }: { signal: AbortSignal | undefined; sharedName: string | null },
  runQuery: (ref: SnapshotRef) => Promise<T>,
): Promise<ReportEnvelope<T>> {
  const beganAt = performance.now();
  const runInEnvelope = async (ref: SnapshotRef) => {
    // The time is read before the report is computed, because keys that the scan reads meanwhile are not in the report.
    const asOf = getSnapshotAsOf(ref.manifest);
    const report = await runQuery(ref);
    return {
      snapshotId: id,
      live: ref.manifest.state !== 'sealed',
      asOf,
      keysInSnapshot: ref.manifest.keys,
      tookMs: Math.round(performance.now() - beganAt),
      report,
    };
  };
  return querySnapshot(actor, id, shareLiveAnswer(sharedName === null ? null : [sharedName], runInEnvelope), signal);
}

/** Stores the score with the snapshot, unless that of the same policy is there already. */
async function storeNewScore(id: string, manifest: SnapshotManifest, report: FindingsReport): Promise<void> {
  if (manifest.state !== 'sealed') return;
  if ((await store.getSnapshotRow(id))?.policyHash !== report.policyHash) await noteScore(manifest, report);
}
