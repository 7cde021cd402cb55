import { useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { ServerAudit, ServerRuleFinding } from '@/lib/model/servers/server-audit';

const buildPath = (instanceId: string) => `/api/instances/${encodeURIComponent(instanceId)}/audit`;

/** The current state of the servers, checked against the server rules. It asks the live servers. */
export function useServerAudit(instanceId: string) {
  return useQuery({
    queryKey: queryKeys.serverAudit(instanceId),
    queryFn: ({ signal }) =>
      api.get<{ audit: ServerAudit; findings: ServerRuleFinding[] }>(buildPath(instanceId), undefined, signal),
    staleTime: 60_000,
  });
}
