import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { FleetRow } from '@/lib/model/reports/fleet';
import type { Instance, TypedInstance } from '@/lib/model/servers/instance';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';

const buildPath = (id: string) => `/api/instances/${encodeURIComponent(id)}`;

const allInstances = queryOptions({
  queryKey: queryKeys.instances,
  queryFn: async ({ signal }) =>
    (await api.get<{ instances: Instance[] }>('/api/instances', undefined, signal)).instances,
  staleTime: 30_000,
});

export function useInstances() {
  return useQuery(allInstances);
}

/** Returns a function that requests the list early, for a menu that shows it once it is open. */
export function usePrefetchInstances(): () => void {
  const client = useQueryClient();
  return () => void client.prefetchQuery(allInstances);
}

export function useInstance(id: string | null) {
  const client = useQueryClient();
  return useQuery<Instance>({
    queryKey: queryKeys.instance(id ?? ''),
    queryFn: async ({ signal }) =>
      (await api.get<{ instance: Instance }>(buildPath(id ?? ''), undefined, signal)).instance,
    enabled: id !== null,
    staleTime: 30_000,
    // The instance as the fleet or a menu has loaded it, so that its name is shown at once.
    placeholderData: () => (id === null ? undefined : findKnownInstance(client, id)),
  });
}

const findKnownInstance = (client: QueryClient, id: string): Instance | undefined =>
  client.getQueryData<Instance[]>(queryKeys.instances)?.find((known) => known.id === id) ??
  client.getQueryData<FleetRow[]>(queryKeys.fleet)?.find(({ instance }) => instance.id === id)?.instance;

/** Reads what the server reports about itself now. It asks the live server, so it runs only when a page needs it. */
export function useServerReport(instanceId: string) {
  return useQuery({
    queryKey: queryKeys.server(instanceId),
    queryFn: async ({ signal }) =>
      (await api.get<{ report: ConnectionReport }>(`${buildPath(instanceId)}/server`, undefined, signal)).report,
    staleTime: 60_000,
  });
}

export function useTestConnection() {
  return useMutation({
    mutationFn: async (input: TypedInstance & { instanceId?: string }) =>
      (await api.post<{ report: ConnectionReport }>('/api/instances/test', input)).report,
  });
}

function useRefreshInstances() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: queryKeys.instances }),
      client.invalidateQueries({ queryKey: queryKeys.fleet }),
    ]);
}

/**
 * Registers an instance (`id` null) or changes one. `updatedAt`: of the instance that was edited; the server refuses if
 * another person has changed it meanwhile, so it is requested again after an error.
 */
export function useSaveInstance(id: string | null) {
  const refresh = useRefreshInstances();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: TypedInstance & { updatedAt?: number | undefined }) =>
      id === null
        ? (await api.post<{ instance: Instance }>('/api/instances', input)).instance
        : (await api.patch<{ instance: Instance }>(buildPath(id), input)).instance,
    onSuccess: async (instance) => {
      client.removeQueries({ queryKey: queryKeys.server(instance.id) });
      await refresh();
    },
    onError: () => {
      if (id !== null) void client.invalidateQueries({ queryKey: queryKeys.instance(id) });
    },
  });
}

/** Sets the write user; refused if the servers do not accept it. */
export function useSetWriteUser(id: string) {
  const refresh = useRefreshInstances();
  return useMutation({
    mutationFn: async (input: { username: string | null; password: string }) =>
      (await api.put<{ instance: Instance }>(`${buildPath(id)}/write-user`, input)).instance,
    onSuccess: refresh,
  });
}

export function useWithdrawWriteUser(id: string) {
  const refresh = useRefreshInstances();
  return useMutation({
    mutationFn: async () => (await api.delete<{ instance: Instance }>(`${buildPath(id)}/write-user`)).instance,
    onSuccess: refresh,
  });
}

export function useRemoveInstance() {
  const refresh = useRefreshInstances();
  return useMutation({
    mutationFn: (id: string) => api.delete<unknown>(buildPath(id)),
    onSuccess: refresh,
  });
}
