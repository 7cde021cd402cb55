import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { Job, Speed } from '@/lib/model/job';
import { isActive } from '@/lib/model/job-states';
import type { ScanOptions } from '@/lib/model/snapshots/scan';

/** Polling interval, ms. It is slow because the event stream brings changes; polling only covers its gaps. */
const POLL_MS = 10_000;

export function useJobs(query: { instanceId?: string; active?: boolean } = {}) {
  return useQuery({
    queryKey: queryKeys.jobList(query),
    queryFn: async ({ signal }) =>
      (
        await api.get<{ jobs: Job[] }>(
          '/api/jobs',
          { instanceId: query.instanceId, active: query.active ? 1 : undefined },
          signal,
        )
      ).jobs,
    refetchInterval: (q) => (q.state.data?.some(isActive) ? POLL_MS : 30_000),
  });
}

export function useJob(id: string | null) {
  return useQuery({
    queryKey: queryKeys.job(id ?? ''),
    queryFn: async ({ signal }) =>
      (await api.get<{ job: Job }>(`/api/jobs/${encodeURIComponent(id ?? '')}`, undefined, signal)).job,
    enabled: id !== null,
    refetchInterval: (q) => (q.state.data && isActive(q.state.data) ? POLL_MS : false),
  });
}

/** Puts the answer to a change, the newest state of the job, into the cache, and requests again what depends on it. */
function useStoreJob() {
  const client = useQueryClient();
  return (job: Job) => {
    client.setQueryData(queryKeys.job(job.id), job);
    client.setQueriesData<Job[]>({ queryKey: ['jobs', 'list'] }, (jobs) =>
      jobs?.map((other) => (other.id === job.id ? job : other)),
    );
    void client.invalidateQueries({ queryKey: ['jobs', 'list'] });
    void client.invalidateQueries({ queryKey: queryKeys.fleet });
    if (job.kind === 'deletion') void client.invalidateQueries({ queryKey: ['deletions'] });
    if (job.instanceId) void client.invalidateQueries({ queryKey: queryKeys.snapshots(job.instanceId) });
  };
}

export function useJobAction(id: string) {
  const store = useStoreJob();
  return useMutation({
    mutationFn: async (action: 'pause' | 'resume' | 'cancel') =>
      (await api.post<{ job: Job }>(`/api/jobs/${encodeURIComponent(id)}/${action}`)).job,
    onSuccess: store,
  });
}

export function useJobSpeed(id: string) {
  const store = useStoreJob();
  return useMutation({
    mutationFn: async (speed: Speed) =>
      (await api.patch<{ job: Job }>(`/api/jobs/${encodeURIComponent(id)}`, { speed })).job,
    onSuccess: store,
  });
}

export function useStartScan(instanceId: string) {
  const store = useStoreJob();
  return useMutation({
    mutationFn: async (options: Partial<ScanOptions>) =>
      (await api.post<{ job: Job }>(`/api/instances/${encodeURIComponent(instanceId)}/scans`, options)).job,
    onSuccess: store,
  });
}
