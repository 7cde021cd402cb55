import { useMutation, useQuery } from '@tanstack/react-query';
import type { SentTo } from '@/app/api/routes';
import { api } from '@/components/data/api';
import { ApiError } from '@/components/data/api-error';
import { queryApi, useRefresh } from '@/components/data/query-api';

/** Polling intervals, ms: usually, and while a snapshot is about to appear or to change. */
const SLOW_MS = 20_000;
const FAST_MS = 2_000;

/** The snapshots of an instance, newest first. */
export const useSnapshots = (instanceId: string | null) =>
  useQuery({
    ...queryApi('GET /api/instances/{id}/snapshots', { id: instanceId ?? '' }),
    select: ({ snapshots }) => snapshots,
    enabled: instanceId !== null,
    staleTime: 10_000,
    // A snapshot appears a moment after its job, so the event that announces the job may come too early.
    refetchInterval: ({ state: { status, data } }) => {
      // After an error the list is requested again, but slowly, to spare a server in trouble.
      if (status === 'error') return SLOW_MS;
      return !data?.snapshots.length || data.snapshots.some((s) => s.state === 'live') ? FAST_MS : SLOW_MS;
    },
  });

/** The manifest of one snapshot. */
export const useSnapshot = (id: string | null) =>
  useQuery({
    ...queryApi('GET /api/snapshots/{id}', { id: id ?? '' }),
    select: ({ snapshot }) => snapshot,
    enabled: id !== null,
    refetchInterval: (q) => (q.state.data?.snapshot.state === 'live' ? FAST_MS : false),
  });

export const useRemoveSnapshot = () =>
  useMutation({
    mutationFn: (id: string) => api('DELETE /api/snapshots/{id}', { id }),
    onSuccess: useRefresh('GET /api/instances/{id}/snapshots', 'GET /api/fleet'),
  });

/** Writes the snapshot as an HTML file. While its keys are evaluated, which may take a minute, it asks again. */
export const useWriteHtmlReport = (id: string) =>
  useMutation({
    mutationFn: (query: SentTo<'GET /api/snapshots/{id}/html-report'>['query']) =>
      api('GET /api/snapshots/{id}/html-report', { id, query }),
    retry: (_count, error) => error instanceof ApiError && error.code === 'snapshot_checking',
    retryDelay: 2_000,
  });

/** Pins a snapshot, so that it is kept whatever its age, or unpins it. */
export const usePinSnapshot = () =>
  useMutation({
    mutationFn: ({ id, pinned }: { id: string; pinned: boolean }) =>
      api('PATCH /api/snapshots/{id}', { id, body: { pinned } }),
    onSuccess: useRefresh('GET /api/instances/{id}/snapshots'),
  });
