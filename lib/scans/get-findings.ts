import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { ReportEnvelope } from '@/lib/model/reports/reports';
import type { FindingsReport, RuleFindingReport } from '@/lib/model/rules/findings';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { getSnapshotAsOf } from '@/lib/model/snapshots/snapshot';
import { noteScore } from '@/lib/rules/findings/keep-score';
import { readFindings, readRuleFindings } from '@/lib/rules/findings/read-findings';
import { getEffectivePolicy } from '@/lib/rules/policy/effective-policy';
import type { SnapshotRef } from '@/lib/snapshots/query/with-source';
import * as store from '@/lib/store/snapshots';
import { addChange, describePrevious, findChangesSince } from './add-changes';
import { askSnapshot } from './ask-snapshot';
import { shareLiveAnswer } from './share-live-answer';

/** Returns what the rules of the instance's policy find in one snapshot, or in the keys that the query selects. */
export const getFindings = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (
    actor: Actor,
    id: string,
    query: ReportQuery,
    signal?: AbortSignal,
  ): Promise<ReportEnvelope<FindingsReport>> => {
    const isOfAllKeys = Object.values(query).every((value) => value === undefined);
    return askInEnvelope(actor, id, { signal, shared: isOfAllKeys ? 'findings' : null }, async (ref) => {
      const { manifest } = ref;
      const policy = await getEffectivePolicy(manifest.instanceId);
      const report = await readFindings(ref, policy, query);
      if (isOfAllKeys) await keepNewScore(id, manifest, report);
      const { previous, changes } = await findChangesSince(manifest, policy, query);
      return {
        ...report,
        previous: describePrevious(previous, report.policyHash, query),
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
  { needs: 'instance.read', on: scopeToSnapshot },
  async (
    actor: Actor,
    id: string,
    rule: string,
    query: ReportQuery,
    signal?: AbortSignal,
  ): Promise<ReportEnvelope<RuleFindingReport>> => {
    return askInEnvelope(actor, id, { signal, shared: null }, async (ref) => {
      const { manifest } = ref;
      const policy = await getEffectivePolicy(manifest.instanceId);
      const report = await readRuleFindings(ref, policy, rule, query);
      const { changes } = await findChangesSince(manifest, policy, query);
      return { ...report, finding: addChange(report.finding, changes) };
    });
  },
);

/**
 * Runs a query about findings and adds the envelope. `shared`: the name of a query about all keys, whose answer serves
 * all readers while the scan runs; null: it is not shared.
 */
async function askInEnvelope<T>(
  actor: Actor,
  id: string,
  { signal, shared }: { signal: AbortSignal | undefined; shared: string | null },
  ask: (ref: SnapshotRef) => Promise<T>,
): Promise<ReportEnvelope<T>> {
  const began = performance.now();
  const find = async (ref: SnapshotRef) => {
    // Taken before the report is computed, because keys that the scan reads meanwhile are not in it.
    const asOf = getSnapshotAsOf(ref.manifest);
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
  return askSnapshot(actor, id, shareLiveAnswer(shared === null ? null : [shared], find), signal);
}

/** Stores the score with the snapshot, unless that of the same policy is there already. */
async function keepNewScore(id: string, manifest: SnapshotManifest, report: FindingsReport): Promise<void> {
  if (manifest.state !== 'sealed') return;
  if ((await store.getSnapshotRow(id))?.policyHash !== report.policyHash) await noteScore(id, report);
}
