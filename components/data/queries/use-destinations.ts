import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { asErrorBody } from '@/components/data/api-error';
import { queryKeys } from '@/components/data/query-keys';
import type { Destination, DestinationChange } from '@/lib/model/servers/destination';

const buildPath = (id: string) => `/api/instances/${encodeURIComponent(id)}/destinations`;

/** Announced addresses that a person has confirmed. */
export function useDestinations(instanceId: string) {
  return useQuery({
    queryKey: queryKeys.destinations(instanceId),
    queryFn: async ({ signal }) =>
      (await api.get<{ destinations: Destination[] }>(buildPath(instanceId), undefined, signal)).destinations,
  });
}

/** Confirms or withdraws addresses. The server report is requested again, because it may include other nodes then. */
export function useChangeDestinations(instanceId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: Partial<DestinationChange>) =>
      (await api.post<{ destinations: Destination[] }>(buildPath(instanceId), change)).destinations,
    onSuccess: async (destinations) => {
      client.setQueryData(queryKeys.destinations(instanceId), destinations);
      await client.invalidateQueries({ queryKey: queryKeys.server(instanceId) });
    },
  });
}

/** The addresses that a failed connection names as not confirmed; empty for every other error. */
export function getUnconfirmedAddresses(error: unknown): string[] {
  const { code, details = {} } = asErrorBody(error);
  return code === 'destination_unconfirmed' && Array.isArray(details.addresses) ? details.addresses : [];
}
