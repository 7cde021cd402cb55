import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { buildKey } from '@/components/data/build-key';
import { queryApi, useRefresh } from '@/components/data/query-api';
import type { Instance, TypedInstance } from '@/lib/model/servers/instance';

const ALL_INSTANCES = { ...queryApi('GET /api/instances', {}), staleTime: 30_000 };

export const useInstances = () => useQuery({ ...ALL_INSTANCES, select: ({ instances }) => instances });

/** Returns a function that requests the list early, for a menu that shows it once it is open. */
export function usePrefetchInstances(): () => void {
  const client = useQueryClient();
  return () => void client.prefetchQuery(ALL_INSTANCES);
}

export function useInstance(id: string | null) {
  const client = useQueryClient();
  return useQuery({
    ...queryApi('GET /api/instances/{id}', { id: id ?? '' }),
    select: ({ instance }) => instance,
    enabled: id !== null,
    staleTime: 30_000,
    // The instance as the fleet or a menu has loaded it, so that its name is shown at once.
    placeholderData: () => {
      const instance = id === null ? undefined : findKnownInstance(client, id);
      return instance && { instance };
    },
  });
}

const findKnownInstance = (client: QueryClient, id: string): Instance | undefined =>
  client.getQueryData(ALL_INSTANCES.queryKey)?.instances.find((known) => known.id === id) ??
  client.getQueryData(queryApi('GET /api/fleet', {}).queryKey)?.rows.find(({ instance }) => instance.id === id)
    ?.instance;

/** Reads what the server reports about itself now. It asks the live server, so it runs only when a page needs it. */
export const useServerReport = (id: string) =>
  useQuery({
    ...queryApi('GET /api/instances/{id}/server', { id }),
    select: ({ report }) => report,
    staleTime: 60_000,
  });

export const useTestConnection = () =>
  useMutation({
    mutationFn: async (body: TypedInstance & { instanceId?: string }) =>
      (await api('POST /api/instances/test', { body })).report,
  });

const useRefreshInstances = () => useRefresh('GET /api/instances', 'GET /api/instances/{id}', 'GET /api/fleet');

/**
 * Registers an instance (`id` null) or changes one. `updatedAt`: of the instance that was edited; the server refuses if
 * another person has changed it meanwhile, so it is requested again after an error.
 */
export function useSaveInstance(id: string | null) {
  const refresh = useRefreshInstances();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: TypedInstance & { updatedAt?: number | undefined }): Promise<Instance> =>
      (await (id === null ? api('POST /api/instances', { body }) : api('PATCH /api/instances/{id}', { id, body })))
        .instance,
    onSuccess: async (instance) => {
      client.removeQueries({ queryKey: buildKey('GET /api/instances/{id}/server', { id: instance.id }) });
      await refresh();
    },
    onError: () => {
      if (id !== null) void client.invalidateQueries({ queryKey: buildKey('GET /api/instances/{id}', { id }) });
    },
  });
}

/** Sets the write user; refused if the servers do not accept it. */
export const useSetWriteUser = (id: string) =>
  useMutation({
    mutationFn: async (body: { username: string | null; password: string }) =>
      (await api('PUT /api/instances/{id}/write-user', { id, body })).instance,
    onSuccess: useRefreshInstances(),
  });

export const useWithdrawWriteUser = (id: string) =>
  useMutation({
    mutationFn: async () => (await api('DELETE /api/instances/{id}/write-user', { id })).instance,
    onSuccess: useRefreshInstances(),
  });

export const useRemoveInstance = () =>
  useMutation({
    mutationFn: (id: string) => api('DELETE /api/instances/{id}', { id }),
    onSuccess: useRefreshInstances(),
  });
