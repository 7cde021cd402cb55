import { verb } from '@/lib/auth/verb';
import { own } from '@/lib/auth/verb-scopes';
import { evaluateSoon } from '@/lib/findings/evaluate-soon';
import { effectivePolicy } from '@/lib/findings/policy/effective-policy';
import { listJobs } from '@/lib/jobs/list-jobs';
import type { Actor } from '@/lib/model/actor';
import type { FleetRow, SnapshotSummary } from '@/lib/model/reports/fleet';
import { listSnapshotRows } from '@/lib/store/snapshots';
import { listInstances } from './list-instances';

const HISTORY = 30;

/**
 * Every instance with its newest snapshot, the scan that runs on it, and how it grew. Asks no Redis: one that is down
 * hides nothing.
 */
export const fleet = verb({ needs: 'account.use', on: own }, async (actor: Actor): Promise<FleetRow[]> => {
  const [instances, snapshots, jobs] = await Promise.all([
    listInstances(actor),
    listSnapshotRows(null),
    listJobs(actor, { kind: 'scan', active: true, limit: 1000 }),
  ]);
  const byInstance = new Map<string, SnapshotSummary[]>();
  for (const snapshot of snapshots) {
    const own = byInstance.get(snapshot.instanceId);
    if (own) own.push(snapshot);
    else byInstance.set(snapshot.instanceId, [snapshot]);
  }
  const rows = instances.map(async (instance): Promise<FleetRow> => {
    const own = byInstance.get(instance.id) ?? [];
    const sealed = own.filter((snapshot) => snapshot.state === 'sealed');
    const latest = sealed[0] ?? own[0] ?? null;
    return {
      instance,
      latest,
      ...(await foundIn(latest)),
      activeJob: jobs.find((job) => job.instanceId === instance.id) ?? null,
      history: sealed
        .slice(0, HISTORY)
        .reverse()
        .map(({ startedAt, keys, bytes, bigkeys }) => ({ at: startedAt, keys, bytes, bigkeys })),
    };
  });
  return Promise.all(rows);
});

/**
 * What was noted under today's policy. It may have become another without anybody changing it: an exemption ends, a new
 * version judges otherwise. Then the snapshot is checked anew, and until that is done nothing is known.
 */
async function foundIn(latest: SnapshotSummary | null): Promise<Pick<FleetRow, 'score' | 'findings'>> {
  if (latest === null || (latest.policyHash ?? null) === null) return { score: null, findings: null };
  if (latest.policyHash === (await effectivePolicy(latest.instanceId)).hash)
    return { score: latest.score ?? null, findings: countsOf(latest) };
  void evaluateSoon(latest.instanceId);
  return { score: null, findings: null };
}

/** null: not checked (yet). */
function countsOf(snapshot: SnapshotSummary | null): FleetRow['findings'] {
  if (!snapshot || typeof snapshot.mandatoryKeys !== 'number') return null;
  const { mandatoryKeys: mandatory, recommendedKeys, adviceKeys } = snapshot;
  return { mandatory, recommended: recommendedKeys ?? 0, advice: adviceKeys ?? 0 };
}
