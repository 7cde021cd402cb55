import { useQueries } from '@tanstack/react-query';
import type { ReportQuery } from '@/lib/model/reports/query';
import { buildReportOptions } from './use-report';

/** The levels below opened nodes, one request each, in the order of `queries`. Closed nodes are not requested. */
export function useTreeBranches(snapshotId: string, queries: readonly Partial<ReportQuery>[]) {
  return useQueries({
    queries: queries.map((query) => buildReportOptions(snapshotId, 'tree', query)),
  });
}
