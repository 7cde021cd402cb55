import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { SentTo } from '@/app/api/routes';
import { api, buildApiUrl } from '@/components/data/api';
import { buildKey } from '@/components/data/build-key';
import { queryApi } from '@/components/data/query-api';
import type { FileFormat } from '@/lib/model/reports/file-formats';

/**
 * Filter as in the address: the name of the person, the action, the id of the instance; `from` and `to` in epoch ms
 * (`to` is not included).
 */
export type AuditQuery = Omit<NonNullable<SentTo<'GET /api/audit-log'>['query']>, 'cursor'>;

export const useAuditLog = (query: AuditQuery) =>
  useInfiniteQuery({
    queryKey: buildKey('GET /api/audit-log', { query }),
    queryFn: ({ signal, pageParam }) => api('GET /api/audit-log', { query: { ...query, cursor: pageParam } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (before) => before,
  });

/** The people and actions that occur in the log. */
export const useAuditChoices = () => useQuery(queryApi('GET /api/audit-log/choices', {}));

export const auditExportUrl = (format: FileFormat, query: AuditQuery): string =>
  buildApiUrl('GET /api/audit-log/export', { query: { ...query, format } });
