import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryApi, useRefresh } from '@/components/data/query-api';
import type { GrowingQuery, TrendPin } from '@/lib/model/snapshots/trends';

export const useTrends = (instanceId: string) =>
  useQuery(queryApi('GET /api/instances/{id}/trends', { id: instanceId }));

export const useGrowing = (instanceId: string, by: GrowingQuery['by']) =>
  useQuery({
    ...queryApi('GET /api/instances/{id}/trends/growing', { id: instanceId, query: { by } }),
    placeholderData: (before) => before,
  });

export function usePinActs(instanceId: string) {
  const onSuccess = useRefresh('GET /api/instances/{id}/trends');
  return {
    pin: useMutation({
      mutationFn: (body: TrendPin) => api('POST /api/instances/{id}/trends/pins', { id: instanceId, body }),
      onSuccess,
    }),
    unpin: useMutation({
      mutationFn: (body: TrendPin) => api('DELETE /api/instances/{id}/trends/pins', { id: instanceId, body }),
      onSuccess,
    }),
  };
}
