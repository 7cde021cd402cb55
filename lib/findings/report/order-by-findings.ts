import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeReport } from '@/lib/model/reports/reports';
import { childPage, pageOfAll } from '@/lib/reports/tree/tree-level';

/**
 * The children of a level by what the rules find in them. That is known after the children, so the largest are asked
 * together and ordered then; what is smaller than these stands behind them by its keys. Evaluations keep no more
 * children of a level either (lib/findings/evaluate/cut-levels.ts).
 */
const MAX_ORDERED = 2000;

/** What has to be asked of the tree for a page of `query`; null: the page needs nothing more. */
export function wholeLevel({ cursor, ...query }: ReportQuery): ReportQuery | null {
  if (!/^-?findings$/i.test(query.sort ?? '')) return null;
  const { offset } = childPage({ ...query, cursor });
  return offset < MAX_ORDERED ? { ...query, limit: MAX_ORDERED } : null;
}

/** @param report of `wholeLevel`, with its findings */
export function pageByFindings(report: TreeReport, query: ReportQuery): TreeReport {
  const { offset, limit } = childPage(query);
  return pageOfAll(report, { offset, limit: Math.min(limit, MAX_ORDERED - offset) });
}
