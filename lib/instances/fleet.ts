import { listJobs } from '@/lib/jobs/list-jobs';
import type { Actor } from '@/lib/model/actor';
import type { FleetRow, SnapshotSummary } from '@/lib/model/fleet';
import { listSnapshots } from '@/lib/store/snapshots';
import { listInstances } from './list-instances';

const HISTORY = 30;

/** Every instance with its newest snapshot, the scan that runs on it, and how it grew. Asks no Redis: one that is down hides nothing. */
export async function fleet(actor: Actor): Promise<FleetRow[]> {
  const [instances, snapshots, jobs] = await Promise.all([
    listInstances(actor),
    listSnapshots(null),
    listJobs(actor, { kind: 'scan', active: true, limit: 1000 }),
  ]);
  const byInstance = new Map<string, SnapshotSummary[]>();
  for (const snapshot of snapshots) {
    const own = byInstance.get(snapshot.instanceId);
    if (own) own.push(snapshot);
    else byInstance.set(snapshot.instanceId, [snapshot]);
  }
  return instances.map((instance) => {
    const own = byInstance.get(instance.id) ?? [];
    const sealed = own.filter((snapshot) => snapshot.state === 'sealed');
    const latest = sealed[0] ?? own[0] ?? null;
    return {
      instance,
      latest,
      score: latest?.score ?? null,
      findings: countsOf(latest),
      activeJob: jobs.find((job) => job.instanceId === instance.id) ?? null,
      history: sealed
        .slice(0, HISTORY)
        .reverse()
        .map(({ startedAt, keys, bytes, bigkeys }) => ({ at: startedAt, keys, bytes, bigkeys })),
    };
  });
}

/** null: not checked (yet). */
function countsOf(snapshot: SnapshotSummary | null): FleetRow['findings'] {
  if (!snapshot || typeof snapshot.mandatoryKeys !== 'number') return null;
  const { mandatoryKeys: mandatory, recommendedKeys, adviceKeys } = snapshot;
  return { mandatory, recommended: recommendedKeys ?? 0, advice: adviceKeys ?? 0 };
}
