import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeReport } from '@/lib/model/reports/reports';
import { sumTotals } from '@/lib/snapshots/key-query/totals-sql';
import {
  CELL_TOTALS,
  countSql,
  HAS_NO_EXPIRY,
  type RolledSource,
  selectLabelledSums,
} from '@/lib/snapshots/reports/cells';
import { type MedianRow, mediansSql } from '@/lib/snapshots/reports/grouping/medians';
import { BIG } from '@/lib/snapshots/rollup/classes';
import type { Scope } from '@/lib/snapshots/rollup/scope';
import { addBelow } from './add-below';
import { type ChildMatch, compileChildMatch } from './child-match';
import { type Children, findChildren } from './find-children';
import { findOnlyDescentOfPaths } from './find-only-descent';
import { groupRest } from './group-rest';
import {
  buildChildDetails,
  type NodeRow,
  parseChildLabel,
  parseLevel,
  parsePage,
  parseTreeSort,
  pickShownRows,
  toChildLabel,
  toTreeReport,
} from './tree-level';

function filterChildren(children: Children, match: ChildMatch | null): Children['labels'] {
  if (match === null) return children.labels;
  return new Map([...children.labels].filter(([, label]) => match.test(parseChildLabel(label))));
}

/** This file computes the children of a path from the sums. */
export async function buildRollupTree(source: RolledSource, scope: Scope, query: ReportQuery): Promise<TreeReport> {
  const { rollup } = scope;
  const level = parseLevel(query);
  // All keys of the level decide what is folded, so that a search does not unfold it.
  const children = findChildren({ rollup, paths: scope.onPath }, level.depth);
  const labels = filterChildren(children, compileChildMatch(query.match));
  const sort = parseTreeSort(query);
  const options = { asOf: source.asOf, page: parsePage(query) };
  const selected = scope.paths.filter((number) => labels.has(number));
  const getLabel = (number: number) => labels.get(number)!;
  const cells = selectLabelledSums(scope, 'cells', getLabel, selected);
  const leaves = selected.filter((number) => rollup.paths[number]!.segments.length === level.depth + 1);
  const isLeaf = leaves.length === 0 ? 'false' : `path IN (${leaves.join(', ')})`;
  // Count nodes and the types of each in one statement, because most of its cost is planning.
  const counted = await source.query<NodeRow & { label: string; type: string | null; ofType: boolean }>(
    `SELECT label, type, grouping(type) = 0 AS ofType, ${CELL_TOTALS}, ${countSql(isLeaf)} AS leafKeys, max(maxBytes) AS maxBytes,
       ${countSql(HAS_NO_EXPIRY)} AS noExpiry, min(minExpire) AS minExpire, max(maxExpire) AS maxExpire,
       ${countSql(`big = ${BIG}`)} AS bigkeys, min(first) AS example
     FROM ${cells.from} GROUP BY GROUPING SETS ((label), (label, type))`,
    cells.values,
  );
  // True if the query is about all keys of the level: it has only a path, which is complete up to a delimiter.
  const isWhole = scope.byPathOnly && /^$|:$/.test(level.path);
  const nodes = counted.flatMap(({ label, type: _, ofType, ...row }): NodeRow[] => {
    if (ofType) return [];
    const child = parseChildLabel(label);
    const { form } = child;
    const folded = form !== null && isWhole ? (rollup.ids.get(level.path + form) ?? null) : null;
    return [{ ...row, ...child, folded }];
  });
  const shown = pickShownRows(nodes, level, sort, options.page);
  const pathsByLabel = groupByLabel(shown, selected, getLabel);
  for (const row of shown) {
    const own = pathsByLabel.get(toChildLabel(row))!.map((number) => rollup.paths[number]!);
    row.descent = findOnlyDescentOfPaths(own, level.depth, row.form !== null);
  }
  const moments = selectLabelledSums(scope, 'moments', getLabel, [...pathsByLabel.values()].flat());
  const medians = await source.query<MedianRow>(mediansSql(moments.from), moments.values);
  const ofTypes = counted.filter(({ label, ofType }) => ofType && pathsByLabel.has(label));
  const all = { ...sumTotals(nodes), nodes: nodes.length };
  const report = toTreeReport(level, sort, shown, all, buildChildDetails(medians, ofTypes), options);
  const numbersByLabel = groupByLabel(shown, [...labels.keys()], getLabel);
  if (query.nested) {
    const grouped = nodes.filter(({ form, segment }) => form === null && segment !== '');
    groupRest(
      report,
      grouped.map((node) => ({ ...node, begins: node.segment! })),
      (child) => !child.folds,
    );
    await addBelow(source, report, { scope, pathsByLabel: numbersByLabel, level, measure: query.nested });
  }
  return report;
}

/** Returns the label of each row → those of the paths that have this label. */
function groupByLabel(rows: readonly NodeRow[], paths: readonly number[], getLabel: (path: number) => string) {
  const found = new Map<string, number[]>(rows.map((row) => [toChildLabel(row), []]));
  for (const number of paths) found.get(getLabel(number))?.push(number);
  return found;
}
