import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { buildApiUrl } from '@/components/data/api';
import { queryApi } from '@/components/data/query-api';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import type { FindingsTable } from '@/lib/model/reports/findings-tables';
import type { Strength } from '@/lib/model/rules/rules';
import type { RuleArea } from '@/lib/model/rules/vocabulary';

export interface FindingsScope {
  prefix?: string;
  template?: string;
  owner?: string;
  /** The delimiter by which the template was cut. */
  delimiter?: string;
}

/** The snapshot since which keys count as new; absent = the one before. */
interface Since {
  since?: string;
}

/**
 * The findings of a snapshot. After a change of the profile the first answer takes seconds: the snapshot is evaluated
 * again.
 */
export const useFindings = (snapshotId: string | null, query: FindingsScope & Since = {}) =>
  useQuery({
    ...queryApi('GET /api/snapshots/{id}/reports/findings', { id: snapshotId ?? '', query }),
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

export const useRuleFindings = (
  snapshotId: string | null,
  rule: string,
  query: FindingsScope & Since & { cursor?: string; limit?: number },
) =>
  useQuery({
    ...queryApi('GET /api/snapshots/{id}/reports/findings/{rule}', { id: snapshotId ?? '', rule, query }),
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

/** Addresses of the findings as files. `only`, `area`: limit the rules that are listed. */
export const findingsFileUrl = (
  id: string,
  query: FindingsScope & Since & { only?: Strength; area?: RuleArea; table: FindingsTable; format: FileFormat },
): string => buildApiUrl('GET /api/snapshots/{id}/reports/findings', { id, query });

export const ruleFileUrl = (id: string, rule: string, query: FindingsScope & Since & { format: FileFormat }): string =>
  buildApiUrl('GET /api/snapshots/{id}/reports/findings/{rule}', { id, rule, query });
