import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeReport } from '@/lib/model/reports/reports';
import { childPage, pageOfAll } from '@/lib/snapshots/reports/tree/tree-level';

/**
 * How many children of a level are ordered by their findings. Findings are computed after the children, so the largest
 * children are read together and then ordered; smaller ones follow, ordered by their keys. Evaluations keep no more
 * children of a level either (lib/rules/evaluate/cut-levels.ts).
 */
const MAX_ORDERED = 2000;

/** Returns the query for the tree from which a page of `query` can be ordered; null: the page needs no other query. */
export function wholeLevel({ cursor, ...query }: ReportQuery): ReportQuery | null {
  if (!/^-?findings$/i.test(query.sort ?? '')) return null;
  const { offset } = childPage({ ...query, cursor });
  return offset < MAX_ORDERED ? { ...query, limit: MAX_ORDERED } : null;
}

/** @param report The answer to `wholeLevel`, with its findings. */
export function pageByFindings(report: TreeReport, query: ReportQuery): TreeReport {
  const { offset, limit } = childPage(query);
  return pageOfAll(report, { offset, limit: Math.min(limit, MAX_ORDERED - offset) });
}
