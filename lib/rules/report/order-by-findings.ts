import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeReport } from '@/lib/model/reports/reports';
import { parsePage, pickPage } from '@/lib/snapshots/reports/tree/tree-level';

/**
 * How many children of a level are ordered by their findings. Findings are computed after the children, so the largest
 * children are read together and then ordered; smaller ones follow, ordered by their keys. Evaluations keep no more
 * children of a level either (lib/rules/evaluate/cut-levels.ts).
 */
const MAX_ORDERED = 2000;

/** Returns the query for the tree from which a page of `query` can be ordered; null: the page needs no other query. */
export function toWholeLevelQuery({ cursor, ...query }: ReportQuery): ReportQuery | null {
  if (!/^-?findings$/i.test(query.sort ?? '')) return null;
  const { offset } = parsePage({ ...query, cursor });
  return offset < MAX_ORDERED ? { ...query, limit: MAX_ORDERED } : null;
}

/** @param report The answer to `toWholeLevelQuery`, with its findings. */
export function pickPageByFindings(report: TreeReport, query: ReportQuery): TreeReport {
  const { offset, limit } = parsePage(query);
  return pickPage(report, { offset, limit: Math.min(limit, MAX_ORDERED - offset) });
}
