import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { LiveKey } from '@/lib/model/keys/live-key';

const buildPath = (instanceId: string, k: string) =>
  `/api/instances/${encodeURIComponent(instanceId)}/keys/${encodeURIComponent(k)}`;

/** The facts of the key on the live server. */
export function useLiveKey(instanceId: string, k: string, db: number) {
  return useQuery({
    queryKey: queryKeys.liveKey(instanceId, k, db),
    queryFn: async ({ signal }) => (await api.get<{ key: LiveKey }>(buildPath(instanceId, k), { db }, signal)).key,
    staleTime: 10_000,
  });
}

/**
 * Reads a bounded part of the key's value. Each read is recorded in the audit log, so it is never repeated
 * automatically.
 */
export function useReadValue(instanceId: string, k: string, db: number) {
  return useMutation({
    mutationFn: async (reason: string | null) =>
      (await api.post<{ key: LiveKey }>(`${buildPath(instanceId, k)}/value`, { db, reason })).key,
  });
}
