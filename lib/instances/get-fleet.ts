import { verb } from '@/lib/access/auth/verb';
import { scopeToOwn } from '@/lib/access/auth/verb-scopes';
import { listJobs } from '@/lib/jobs/list-jobs';
import type { Actor } from '@/lib/model/actor';
import type { FleetRow, SnapshotSummary } from '@/lib/model/reports/fleet';
import { evaluateSoon } from '@/lib/rules/findings/evaluate-soon';
import { createPolicyHasher } from '@/lib/rules/policy/policy-hashes';
import { listFailedScans } from '@/lib/store/jobs';
import { listMastersOfReplicas } from '@/lib/store/nodes/instance-nodes';
import { listKeysHistory, listNewestSnapshotRows } from '@/lib/store/snapshots';
import { listInstances } from './list-instances';

/** Number of snapshots in the history of an instance. */
const HISTORY = 30;

/**
 * Every instance with its newest snapshot, its running scan and the history of its key count. It asks no Redis, so an
 * instance that is down hides nothing.
 */
export const getFleet = verb({ needs: 'account.use', on: scopeToOwn }, async (actor: Actor) => {
  const [instances, snapshots, history, jobs, failed, masters, getPolicyHash] = await Promise.all([
    listInstances(actor),
    listNewestSnapshotRows(),
    listKeysHistory(HISTORY),
    listJobs(actor, { kind: 'scan', active: true, limit: 1000 }),
    listFailedScans(),
    listMastersOfReplicas(),
    createPolicyHasher(),
  ]);
  const newest = new Map(snapshots.map((snapshot) => [snapshot.instanceId, snapshot]));
  const scans = new Map(jobs.toReversed().map((job) => [job.instanceId, job]));
  return instances.map((instance): FleetRow => {
    const latest = newest.get(instance.id) ?? null;
    const failedAt = failed.get(instance.id) ?? null;
    return {
      instance,
      latest,
      ...pickCurrentFindings(latest, getPolicyHash),
      activeJob: scans.get(instance.id) ?? null,
      // Every row has the same fields, because the page sends them column by column.
      failedAt: failedAt !== null && failedAt > (latest?.endedAt ?? latest?.startedAt ?? 0) ? failedAt : null,
      keysHistory: history.get(instance.id) ?? [],
      replicaOf: masters.get(instance.id) ?? null,
    };
  });
});

/**
 * Score and findings of a snapshot, if they were computed under the current policy. The policy may change without an
 * edit: an exemption ends, or a new version judges differently. Then an evaluation is started in the background, and
 * null is returned until it has ended.
 */
function pickCurrentFindings(
  latest: SnapshotSummary | null,
  getPolicyHash: (instanceId: string) => string,
): Pick<FleetRow, 'score' | 'findings'> {
  if (!latest?.policyHash) return { score: null, findings: null };
  if (latest.policyHash === getPolicyHash(latest.instanceId))
    return { score: latest.score ?? null, findings: toFindingCounts(latest) };
  void evaluateSoon(latest.instanceId);
  return { score: null, findings: null };
}

/** null = not evaluated (yet). */
function toFindingCounts(snapshot: SnapshotSummary): FleetRow['findings'] {
  if (typeof snapshot.mandatoryKeys !== 'number') return null;
  const { mandatoryKeys: mandatory, recommendedKeys, adviceKeys } = snapshot;
  return { mandatory, recommended: recommendedKeys ?? 0, advice: adviceKeys ?? 0 };
}
