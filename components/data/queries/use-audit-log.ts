import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import type { AuditRow } from '@/lib/model/reports/fleet';

export function useAuditLog() {
  return useInfiniteQuery({
    queryKey: queryKeys.audit,
    queryFn: ({ signal, pageParam }) =>
      api.get<{ rows: AuditRow[]; nextCursor: string | null }>('/api/audit-log', { cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}
