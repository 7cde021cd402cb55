import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SentTo } from '@/app/api/routes';
import { api } from '@/components/data/api';
import { queryApi } from '@/components/data/query-api';
import { storeJob } from '@/components/data/store-job';
import type { Job, Speed } from '@/lib/model/job';
import type { Instance } from '@/lib/model/servers/instance';

/** Jobs, newest first. The event stream (job-events.tsx) brings their changes, so nothing is polled. */
export const useJobs = ({ instanceId, active }: { instanceId?: string; active?: boolean } = {}) =>
  useQuery({
    ...queryApi('GET /api/jobs', { query: { instanceId, ...(active && { active: '1' as const }) } }),
    select: ({ jobs }) => jobs,
  });

export const useJob = (id: string | null) =>
  useQuery({
    ...queryApi('GET /api/jobs/{id}', { id: id ?? '' }),
    select: ({ job }) => job,
    enabled: id !== null,
  });

/** Stores the job as the answer has it, so that its page does not wait for the event. */
function useStoreJob() {
  const client = useQueryClient();
  return ({ job }: { job: Job }) => storeJob(client, job);
}

export const useJobAction = (id: string) =>
  useMutation({
    mutationFn: (action: 'pause' | 'resume' | 'cancel') => api(`POST /api/jobs/{id}/${action}`, { id }),
    onSuccess: useStoreJob(),
  });

export const useJobSpeed = (id: string) =>
  useMutation({
    mutationFn: (speed: Speed) => api('PATCH /api/jobs/{id}', { id, body: { speed } }),
    onSuccess: useStoreJob(),
  });

export const useStartScan = (instanceId: string) =>
  useMutation({
    mutationFn: async (body: SentTo<'POST /api/instances/{id}/scans'>['body']) =>
      api('POST /api/instances/{id}/scans', { id: instanceId, body }),
    onSuccess: useStoreJob(),
  });

/** Queues a scan of several instances, one after the other, with the usual options. */
export function useStartScans() {
  const storeStarted = useStoreJob();
  const [state, setState] = useState({
    isRunning: false,
    done: 0,
    failed: [] as { instance: Instance; error: unknown }[],
  });
  return {
    ...state,
    /** Returns how many could not be queued; `failed` says which, and why. */
    async start(instances: readonly Instance[], speed: Speed): Promise<number> {
      const failed: (typeof state)['failed'] = [];
      for (const [done, instance] of instances.entries()) {
        setState({ isRunning: true, done, failed });
        await api('POST /api/instances/{id}/scans', { id: instance.id, body: { speed } })
          .then(storeStarted)
          .catch((error: unknown) => failed.push({ instance, error }));
      }
      setState({ isRunning: false, done: instances.length, failed });
      return failed.length;
    },
  };
}
