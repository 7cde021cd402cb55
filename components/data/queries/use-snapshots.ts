import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { sortNewestFirst } from '@/components/data/choose-snapshot';
import { queryKeys } from '@/components/data/query-keys';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';

/** Polling intervals, ms: usually, and while a snapshot is about to appear or to change. */
const SLOW_MS = 20_000;
const FAST_MS = 2_000;

const buildListPath = (instanceId: string) => `/api/instances/${encodeURIComponent(instanceId)}/snapshots`;

/** The snapshots of an instance, newest first. */
export function useSnapshots(instanceId: string | null) {
  return useQuery({
    queryKey: queryKeys.snapshots(instanceId ?? ''),
    queryFn: async ({ signal }) => {
      const path = buildListPath(instanceId ?? '');
      const { snapshots } = await api.get<{ snapshots: SnapshotSummary[] }>(path, undefined, signal);
      return sortNewestFirst(snapshots);
    },
    enabled: instanceId !== null,
    staleTime: 10_000,
    // A snapshot appears a moment after its job, so the event that announces the job may come too early.
    refetchInterval: (q) => {
      // After an error the list is requested again, but slowly, to spare a server in trouble.
      if (q.state.status === 'error') return SLOW_MS;
      return !q.state.data?.length || q.state.data.some((s) => s.state === 'live') ? FAST_MS : SLOW_MS;
    },
  });
}

/** The manifest of one snapshot. */
export function useSnapshot(id: string | null) {
  return useQuery({
    queryKey: queryKeys.snapshot(id ?? ''),
    queryFn: async ({ signal }) =>
      (
        await api.get<{ snapshot: SnapshotManifest }>(
          `/api/snapshots/${encodeURIComponent(id ?? '')}`,
          undefined,
          signal,
        )
      ).snapshot,
    enabled: id !== null,
    refetchInterval: (q) => (q.state.data?.state === 'live' ? FAST_MS : false),
  });
}

export function useRemoveSnapshot(instanceId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.delete<unknown>(`/api/snapshots/${encodeURIComponent(id)}`),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.snapshots(instanceId) }),
        client.invalidateQueries({ queryKey: queryKeys.fleet }),
      ]),
  });
}
