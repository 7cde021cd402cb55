import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryApi, useRefresh } from '@/components/data/query-api';
import type { SavedViewInput, SavedViewUpdate } from '@/lib/model/saved-view';

/** The saved views, requested only when they are shown. */
export const useViews = (instanceId: string | null, enabled = true) =>
  useQuery({
    ...queryApi('GET /api/instances/{id}/views', { id: instanceId ?? '' }),
    select: ({ views }) => views,
    enabled: enabled && instanceId !== null,
  });

export const useView = (id: string) =>
  useQuery({ ...queryApi('GET /api/views/{id}', { id }), select: ({ view }) => view, retry: false });

export function useViewActs(instanceId: string) {
  const onSuccess = useRefresh('GET /api/instances/{id}/views');
  return {
    save: useMutation({
      mutationFn: (body: SavedViewInput) => api('POST /api/instances/{id}/views', { id: instanceId, body }),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ id, change }: { id: string; change: SavedViewUpdate }) =>
        api('PATCH /api/views/{id}', { id, body: change }),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => api('DELETE /api/views/{id}', { id }), onSuccess }),
  };
}
