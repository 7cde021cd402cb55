import { useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { LiveKey } from '@/lib/model/keys/live-key';

/** The key on the live server. `preview` reads a bounded part of the value; ask for it only when a person does. */
export function useLiveKey(instanceId: string, k: string | null, db: number, preview = false) {
  return useQuery({
    queryKey: [...queryKeys.liveKey(instanceId, k ?? '', db), preview],
    queryFn: async ({ signal }) => {
      const path = `/api/instances/${encodeURIComponent(instanceId)}/keys/${encodeURIComponent(k ?? '')}`;
      return (await api.get<{ key: LiveKey }>(path, { db, preview: preview ? 1 : undefined }, signal)).key;
    },
    enabled: k !== null,
    staleTime: 10_000,
  });
}
