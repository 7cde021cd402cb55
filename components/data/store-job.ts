import type { QueryClient } from '@tanstack/react-query';
import type { RouteName, SentTo } from '@/app/api/routes';
import { buildKey } from '@/components/data/build-key';
import { queryApi } from '@/components/data/query-api';
import type { Job } from '@/lib/model/job';
import { ENDED_STATES } from '@/lib/model/job-states';

/** Puts the new state of a job into the cache, unless a newer one is there, and requests again what depends on it. */
export function storeJob(client: QueryClient, job: Job): void {
  const { queryKey } = queryApi('GET /api/jobs/{id}', { id: job.id });
  const known = client.getQueryData(queryKey)?.job;
  if (known && known.updatedAt > job.updatedAt) return;
  client.setQueryData(queryKey, { job });
  let isListed = false;
  client.setQueriesData<{ jobs: Job[] }>({ queryKey: buildKey('GET /api/jobs') }, (list) => {
    if (!list?.jobs.some(({ id }) => id === job.id)) return list;
    isListed = true;
    return { jobs: list.jobs.map((other) => (other.id === job.id ? job : other)) };
  });
  const refresh = <Name extends RouteName>(route: Name, sent?: Partial<SentTo<Name>>) =>
    void client.invalidateQueries({ queryKey: buildKey(route, sent) });
  const isStateChanged = known?.state !== job.state;
  if (!isListed || isStateChanged) refresh('GET /api/jobs');
  if (!isStateChanged && known?.snapshotId === job.snapshotId) return;
  refresh('GET /api/fleet');
  if (job.kind === 'deletion') for (const route of OF_DELETIONS) refresh(route);
  refresh('GET /api/trends/deltas');
  if (job.instanceId) for (const route of OF_INSTANCES) refresh(route, { id: job.instanceId });
  if (job.snapshotId && ENDED_STATES.includes(job.state))
    for (const route of OF_SNAPSHOTS) refresh(route, { id: job.snapshotId });
}

const OF_DELETIONS = ['GET /api/deletions', 'GET /api/deletions/{id}', 'GET /api/deletions/{id}/items'] as const;
const OF_INSTANCES = [
  'GET /api/instances/{id}/snapshots',
  'GET /api/instances/{id}/trends',
  'GET /api/instances/{id}/trends/growing',
] as const;
const OF_SNAPSHOTS = [
  'GET /api/snapshots/{id}/deltas',
  'GET /api/snapshots/{id}',
  'GET /api/snapshots/{id}/reports/{report}',
  'GET /api/snapshots/{id}/reports/findings',
  'GET /api/snapshots/{id}/reports/findings/{rule}',
] as const;
