import { foldSegment } from '@/lib/model/names/fold-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { Totals, TreeNode, TreeReport } from '@/lib/model/reports/reports';
import { type TotalsRow, totalsSql } from '@/lib/snapshots/key-query/totals-sql';
import { foldedSegmentSql } from '@/lib/snapshots/name-sql/folded-segment-sql';
import type { RolledSource } from '@/lib/snapshots/reports/cells';
import { compileChildMatch } from './child-match';
import { selectSegments } from './key-tree';
import { parseLevel } from './tree-level';

/** Fewer groups than this say too little; names that begin alike then get one more character. */
const FEW_GROUPS = 4;
/** The largest number of groups, because a treemap shows no more. */
const MAX_GROUPS = 40;

/** The sums of a child, or of all children whose segments begin with this text. */
type BeginningRow = Totals & { begins: string };

/**
 * Groups the children that are not on this page by what their segments begin with, so that a level of 100,000 names is
 * more than one number.
 * @param rows The sums of the children of the whole level that are grouped, which may leave out folded ids.
 * @param isGrouped Whether a child of this page is in `rows`.
 */
export function groupRest(
  report: TreeReport,
  rows: readonly BeginningRow[],
  isGrouped: (child: TreeNode) => boolean,
): void {
  if (report.rest === null) return;
  const common = findCommonLength(rows.map(({ begins }) => begins));
  const length = common + (sumByBeginning(rows, common + 1).size < FEW_GROUPS ? 2 : 1);
  const groups = sumByBeginning(rows, length);
  for (const child of report.children) {
    const group = isGrouped(child) ? groups.get(cutAt(child.segment, length)) : undefined;
    if (!group) continue;
    group.keys -= child.keys;
    group.bytes -= child.bytes;
    group.bytesUnknown -= child.bytesUnknown;
  }
  report.rest.groups = [...groups]
    .map(([begins, sums]) => ({ begins, ...sums }))
    .filter(({ keys }) => keys > 0)
    .sort((a, b) => b.bytes - a.bytes || b.keys - a.keys || (a.begins < b.begins ? -1 : 1))
    .slice(0, MAX_GROUPS);
}

/** Groups the rest of a report that has no groups, by the keys of its level. */
export async function addRestGroups(source: RolledSource, query: ReportQuery, report: TreeReport): Promise<void> {
  const match = compileChildMatch(query.match);
  const fold = query.fold ?? true;
  const { sql, where } = selectSegments(source, query, parseLevel(query));
  const words = `SELECT *, NULL::VARCHAR AS form FROM (${sql})
    WHERE segment <> '' ${fold ? `AND (${foldedSegmentSql('segment')}) IS NULL` : ''}`;
  const rows = match ? `SELECT * FROM (${words}) WHERE ${match.sql(where)}` : words;
  const [ends] = await source.query<{ first: string | null; last: string | null }>(
    `SELECT min(segment) AS first, max(segment) AS last FROM (${rows})`,
    where.values,
  );
  if (ends?.first == null || ends.last === null) return;
  // All segments between these two share their common beginning; the groups need at most two characters more.
  const length = findCommonLength([ends.first, ends.last]) + 2;
  const beginnings = await source.query<TotalsRow & BeginningRow>(
    `SELECT left(segment, ${length}) AS begins, ${totalsSql} FROM (${rows}) GROUP BY 1`,
    where.values,
  );
  groupRest(report, beginnings, ({ folds, segment }) => !folds && (!fold || foldSegment(segment) === null));
}

const cutAt = (text: string, length: number): string => Array.from(text).slice(0, length).join('');

function sumByBeginning(rows: readonly BeginningRow[], length: number): Map<string, Totals> {
  const groups = new Map<string, Totals>();
  for (const { begins, keys, bytes, bytesUnknown } of rows) {
    const beginning = cutAt(begins, length);
    const group = groups.get(beginning);
    if (!group) groups.set(beginning, { keys, bytes, bytesUnknown });
    else {
      group.keys += keys;
      group.bytes += bytes;
      group.bytesUnknown += bytesUnknown;
    }
  }
  return groups;
}

/** Number of characters that all texts begin with. */
function findCommonLength(texts: readonly string[]): number {
  let common = Array.from(texts[0] ?? '');
  for (const text of texts) {
    const characters = Array.from(text);
    const end = common.findIndex((character, i) => characters[i] !== character);
    if (end >= 0) common = common.slice(0, end);
  }
  return common.length;
}
