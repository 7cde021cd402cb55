import { useQuery } from '@tanstack/react-query';
import { api, toQueryString } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { FleetRow } from '@/lib/model/reports/fleet';
import type { FleetFilter, FleetGroup } from '@/lib/model/reports/fleet-filter';
import type { RowOrder } from '@/lib/model/reports/table-order';

export function useFleet() {
  return useQuery({
    queryKey: queryKeys.fleet,
    queryFn: async ({ signal }) => (await api.get<{ rows: FleetRow[] }>('/api/fleet', undefined, signal)).rows,
    refetchInterval: 30_000,
  });
}

export const fleetFileUrl = (
  { group, ...filter }: FleetFilter & { group: FleetGroup },
  order: RowOrder,
  format: FileFormat,
): string => `/api/fleet${toQueryString({ ...filter, group: group === 'none' ? undefined : group, ...order, format })}`;
