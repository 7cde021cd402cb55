import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '@/components/data/api';
import { queryKeys } from '@/components/data/query-keys';
import { toQueryString } from '@/components/data/query-string';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { FindingsTable } from '@/lib/model/reports/findings-tables';
import type { ReportEnvelope } from '@/lib/model/reports/reports';
import type { FindingsReport, RuleFindingReport } from '@/lib/model/rules/findings';

export interface FindingsScope {
  prefix?: string;
  template?: string;
  owner?: string;
  /** The delimiter by which the template was cut. */
  delimiter?: string;
}
const buildPath = (snapshotId: string) => `/api/snapshots/${encodeURIComponent(snapshotId)}/reports/findings`;

/**
 * The findings of a snapshot. After a change of the profile the first answer takes seconds: the snapshot is evaluated
 * again.
 */
export function useFindings(snapshotId: string | null, scope: FindingsScope = {}) {
  return useQuery({
    queryKey: queryKeys.findings(snapshotId ?? '', scope),
    queryFn: ({ signal }) => api.get<ReportEnvelope<FindingsReport>>(buildPath(snapshotId ?? ''), { ...scope }, signal),
    enabled: snapshotId !== null,
    placeholderData: keepPreviousData,
    // The comparison with the previous snapshot comes a little later; it is waited for at most 100 s.
    refetchInterval: (query) => {
      const report = query.state.data?.report;
      if (query.state.data?.live) return 5_000;
      const waiting = report?.previous && report.rules.some((rule) => rule.kind === 'key' && rule.change === null);
      return waiting && query.state.dataUpdateCount < 20 ? 5_000 : false;
    },
    staleTime: 60_000,
  });
}

export function useRuleFindings(
  snapshotId: string | null,
  rule: string,
  scope: FindingsScope & { cursor?: string; limit?: number },
) {
  return useQuery({
    queryKey: queryKeys.findingsOfRule(snapshotId ?? '', rule, scope),
    queryFn: ({ signal }) =>
      api.get<ReportEnvelope<RuleFindingReport>>(
        `${buildPath(snapshotId ?? '')}/${encodeURIComponent(rule)}`,
        { ...scope },
        signal,
      ),
    enabled: snapshotId !== null,
    placeholderData: keepPreviousData,
    // The comparison is waited for at most 50 s: this answer does not say whether there is a previous snapshot.
    refetchInterval: (query) => {
      if (query.state.data?.live) return 5_000;
      const finding = query.state.data?.report.finding;
      const waiting = finding?.kind === 'key' && finding.change === null;
      return waiting && query.state.dataUpdateCount < 10 ? 5_000 : false;
    },
    staleTime: 60_000,
  });
}

/** Addresses of the findings as files. `only`, `area`: limit the rules that are listed. */
export const findingsFileUrl = (
  snapshotId: string,
  query: FindingsScope & { only?: string; area?: string; table: FindingsTable; format: FileFormat },
): string => `${buildPath(snapshotId)}${toQueryString({ ...query })}`;

export const ruleFileUrl = (snapshotId: string, rule: string, query: FindingsScope & { format: FileFormat }): string =>
  `${buildPath(snapshotId)}/${encodeURIComponent(rule)}${toQueryString({ ...query })}`;
