import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import { toQueryString } from '@/components/data/query-string';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TableName } from '@/lib/model/reports/registry';
import type { ReportEnvelope, ReportName, ReportResults } from '@/lib/model/reports/reports';

type Query = Partial<ReportQuery>;

/**
 * One report of one snapshot. While a changed filter loads, the last answer stays on the page (`isPlaceholderData`). A
 * live snapshot is requested again every two seconds.
 */
export function useReport<N extends ReportName>(
  snapshotId: string | null,
  name: N,
  query: Query = {},
  options: { enabled?: boolean } = {},
) {
  return useQuery({
    ...buildReportOptions(snapshotId ?? '', name, query),
    enabled: snapshotId !== null && options.enabled !== false,
    placeholderData: keepPreviousData,
  });
}

/** The query options of one report; components with the same options share the answer. */
export function buildReportOptions<N extends ReportName>(snapshotId: string, name: N, query: Query) {
  return queryOptions({
    queryKey: queryKeys.report(snapshotId, name, query),
    queryFn: ({ signal }) =>
      api.get<ReportEnvelope<ReportResults[N]>>(buildReportPath(snapshotId, name), query, signal),
    // The server keeps recent answers, so polling while it prepares adds no load.
    refetchInterval: (q) => (q.state.data?.live ? 2_000 : q.state.data?.preparing ? 3_000 : false),
    staleTime: 60_000,
  });
}

function buildReportPath(snapshotId: string, name: ReportName): string {
  return `/api/snapshots/${encodeURIComponent(snapshotId)}/reports/${name}`;
}

/** Address of one table of a report as a file, under the same filter. */
export function tableUrl(
  snapshotId: string,
  name: ReportName,
  { query, table, format }: { query: Query; table: TableName; format: FileFormat },
): string {
  return `${buildReportPath(snapshotId, name)}${toQueryString({ ...query, table, format })}`;
}

/** Address of the key list as a file, under the same filter. */
export function exportUrl(snapshotId: string, format: FileFormat, query: Query): string {
  return `/api/snapshots/${encodeURIComponent(snapshotId)}/keys${toQueryString({ ...query, format })}`;
}
