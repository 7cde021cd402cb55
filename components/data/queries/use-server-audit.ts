import { useQuery } from '@tanstack/react-query';
import { queryApi } from '@/components/data/query-api';

/** The current state of the servers, checked against the server rules. It asks the live servers. */
export const useServerAudit = (id: string) =>
  useQuery({ ...queryApi('GET /api/instances/{id}/audit', { id }), staleTime: 60_000 });
