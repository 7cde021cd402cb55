import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { SavedView, SavedViewInput, SavedViewUpdate } from '@/lib/model/saved-view';

/** The saved views, requested only when they are shown. */
export function useViews(instanceId: string | null, enabled = true) {
  return useQuery({
    queryKey: queryKeys.views(instanceId ?? ''),
    queryFn: async ({ signal }) =>
      (
        await api.get<{ views: SavedView[] }>(
          `/api/instances/${encodeURIComponent(instanceId ?? '')}/views`,
          {},
          signal,
        )
      ).views,
    enabled: enabled && instanceId !== null,
  });
}

export function useView(id: string) {
  return useQuery({
    queryKey: ['view', id],
    queryFn: async ({ signal }) =>
      (await api.get<{ view: SavedView }>(`/api/views/${encodeURIComponent(id)}`, {}, signal)).view,
    retry: false,
  });
}

export function useViewActs(instanceId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: queryKeys.views(instanceId) });
  const buildPath = (id: string) => `/api/views/${encodeURIComponent(id)}`;
  return {
    save: useMutation({
      mutationFn: (input: SavedViewInput) => api.post(`/api/instances/${encodeURIComponent(instanceId)}/views`, input),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ id, change }: { id: string; change: SavedViewUpdate }) => api.patch(buildPath(id), change),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => api.delete(buildPath(id)), onSuccess }),
  };
}
