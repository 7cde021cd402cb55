'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditRow } from '@/lib/model/reports/fleet';
import { api } from './api';
import { queryKeys } from './query-keys';

export function useAuditLog() {
  return useInfiniteQuery({
    queryKey: queryKeys.audit,
    queryFn: ({ signal, pageParam }) =>
      api.get<{ rows: AuditRow[]; nextCursor: string | null }>('/api/audit-log', { cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}
