import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentTo } from '@/app/api/routes';
import { api } from '@/components/data/api';
import { asErrorBody } from '@/components/data/api-error';
import { buildKey } from '@/components/data/build-key';
import { queryApi } from '@/components/data/query-api';

const queryDestinations = (id: string) => queryApi('GET /api/instances/{id}/destinations', { id });

/** Announced addresses that a person has confirmed. */
export const useDestinations = (instanceId: string) =>
  useQuery({ ...queryDestinations(instanceId), select: ({ destinations }) => destinations });

/** Confirms or withdraws addresses. The server report is requested again, because it may include other nodes then. */
export function useChangeDestinations(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SentTo<'POST /api/instances/{id}/destinations'>['body']) =>
      api('POST /api/instances/{id}/destinations', { id, body }),
    onSuccess: async (answer) => {
      client.setQueryData(queryDestinations(id).queryKey, answer);
      await client.invalidateQueries({ queryKey: buildKey('GET /api/instances/{id}/server', { id }) });
    },
  });
}

/** The addresses that a failed connection names as not confirmed; empty for every other error. */
export function getUnconfirmedAddresses(error: unknown): string[] {
  const { code, details = {} } = asErrorBody(error);
  return code === 'destination_unconfirmed' && Array.isArray(details.addresses) ? details.addresses : [];
}
