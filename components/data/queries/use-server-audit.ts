import { useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { ServerAudit, ServerRuleFinding } from '@/lib/model/servers/server-audit';

/** The servers as they are now against the server rules. Asks the live servers. */
export function useServerAudit(instanceId: string) {
  return useQuery({
    queryKey: queryKeys.serverAudit(instanceId),
    queryFn: ({ signal }) =>
      api.get<{ audit: ServerAudit; findings: ServerRuleFinding[] }>(
        `/api/instances/${encodeURIComponent(instanceId)}/audit`,
        undefined,
        signal,
      ),
    staleTime: 60_000,
  });
}
