import { useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { FleetRow } from '@/lib/model/reports/fleet';

export function useFleet() {
  return useQuery({
    queryKey: queryKeys.fleet,
    queryFn: async ({ signal }) => (await api.get<{ rows: FleetRow[] }>('/api/fleet', undefined, signal)).rows,
    refetchInterval: 30_000,
  });
}
