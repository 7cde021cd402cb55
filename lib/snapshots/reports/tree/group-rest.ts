import type { Totals, TreeNode, TreeReport } from '@/lib/model/reports/reports';

/** Fewer groups than this say too little; names that begin alike then get one more character. */
const FEW_GROUPS = 4;
/** The largest number of groups, because a treemap shows no more. */
const MAX_GROUPS = 40;

/** The sums of a child, or of all children whose segments begin with this text. */
export type BeginningRow = Totals & { begins: string };

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
  let groups = sumByBeginning(rows, common + 1);
  if (groups.size < FEW_GROUPS) groups = sumByBeginning(rows, common + 2);
  const [first] = groups.keys();
  const length = Array.from(first ?? '').length;
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
export function findCommonLength(texts: readonly string[]): number {
  let common = Array.from(texts[0] ?? '');
  for (const text of texts) {
    const characters = Array.from(text);
    const end = common.findIndex((character, i) => characters[i] !== character);
    if (end >= 0) common = common.slice(0, end);
  }
  return common.length;
}
