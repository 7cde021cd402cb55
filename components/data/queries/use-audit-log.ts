import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import { toQueryString } from '@/components/data/query-string';
import type { AuditRow } from '@/lib/model/audit';
import type { FileFormat } from '@/lib/model/reports/file-formats';

/**
 * Filter as in the address: the name of the person, the action, the id of the instance; `from` and `to` in epoch ms
 * (`to` is not included).
 */
export interface AuditQuery {
  person?: string | null;
  action?: string | null;
  instance?: string | null;
  from?: number | null;
  to?: number | null;
}

export function useAuditLog(query: AuditQuery) {
  return useInfiniteQuery({
    queryKey: [...queryKeys.audit, 'rows', query],
    queryFn: ({ signal, pageParam }) =>
      api.get<{ rows: AuditRow[]; nextCursor: string | null }>(
        '/api/audit-log',
        { ...query, cursor: pageParam },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (before) => before,
  });
}

/** The people and actions that occur in the log. */
export function useAuditChoices() {
  return useQuery({
    queryKey: [...queryKeys.audit, 'choices'],
    queryFn: ({ signal }) => api.get<{ people: string[]; actions: string[] }>('/api/audit-log/choices', {}, signal),
  });
}

export const auditExportUrl = (format: FileFormat, query: AuditQuery): string =>
  `/api/audit-log/export${toQueryString({ ...query, format })}`;
