'use client';
import { useQuery } from '@tanstack/react-query';
import type { FleetRow } from '@/lib/model/reports/fleet';
import { api } from './api';
import { queryKeys } from './query-keys';

export function useFleet() {
  return useQuery({
    queryKey: queryKeys.fleet,
    queryFn: async ({ signal }) => (await api.get<{ rows: FleetRow[] }>('/api/fleet', undefined, signal)).rows,
    refetchInterval: 30_000,
  });
}
