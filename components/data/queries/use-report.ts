import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, buildApiUrl } from '@/components/data/api';
import { buildKey } from '@/components/data/build-key';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TableName } from '@/lib/model/reports/registry';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';

const REPORT = 'GET /api/snapshots/{id}/reports/{report}';
type Query = Partial<ReportQuery>;

/**
 * One report of one snapshot. While a changed filter loads, the last answer stays on the page (`isPlaceholderData`). A
 * live snapshot is requested again every two seconds.
 */
export const useReport = <N extends ReportName>(
  snapshotId: string | null,
  name: N,
  query: Query = {},
  options: { enabled?: boolean } = {},
) =>
  useQuery({
    ...buildReportOptions(snapshotId ?? '', name, query),
    enabled: snapshotId !== null && options.enabled !== false,
    placeholderData: keepPreviousData,
  });

/** The query options of one report; components with the same options share the answer. */
export function buildReportOptions<N extends ReportName>(id: string, report: N, query: Query) {
  const sent = { id, report, query };
  return queryOptions({
    queryKey: buildKey(REPORT, sent),
    // The route answers with one of all reports; which one follows from its name.
    queryFn: ({ signal }) => api(REPORT, sent, signal) as Promise<ReportEnvelope<ReportResults[N]>>,
    // The server keeps recent answers, so polling while it prepares adds no load.
    refetchInterval: (q) => (q.state.data?.live ? 2_000 : q.state.data?.preparing ? 3_000 : false),
    staleTime: 60_000,
  });
}

/** Address of one table of a report as a file, under the same filter. */
export const tableUrl = (
  id: string,
  report: ReportName,
  { query, table, format }: { query: Query; table: TableName; format: FileFormat },
): string => buildApiUrl(REPORT, { id, report, query: { ...query, table, format } });

/** Address of the key list as a file, under the same filter. */
export const exportUrl = (id: string, format: FileFormat, query: Query): string =>
  buildApiUrl('GET /api/snapshots/{id}/keys', { id, query: { ...query, format } });
