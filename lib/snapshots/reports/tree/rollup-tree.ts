import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeReport } from '@/lib/model/reports/reports';
import { NO_TOTALS, sumTotals } from '@/lib/snapshots/key-query/totals-sql';
import { waitForBoth } from '@/lib/snapshots/query/wait-for-both';
import { buildCellFacts, CELL_TOTALS, labelledSql, type RolledSource } from '@/lib/snapshots/reports/facts';
import { type MedianRow, mediansSql } from '@/lib/snapshots/reports/grouping/medians';
import { findRollupScope, narrowsByPathOnly } from '@/lib/snapshots/rollup/scope';
import { addBelow } from './add-below';
import { type ChildMatch, compileChildMatch } from './child-match';
import { type Children, findChildren } from './find-children';
import { findOnlyDescentOfPaths } from './find-only-descent';
import {
  buildChildDetails,
  NO_CHILD_DETAILS,
  type NodeRow,
  parseChildLabel,
  parseLevel,
  parsePage,
  parseTreeSort,
  pickShownRows,
  toChildLabel,
  toTreeReport,
} from './tree-level';

function filterChildren(children: Children | null, match: ChildMatch | null): Children | null {
  if (children === null || match === null) return children;
  const isMatching = (label: string) => match.test(parseChildLabel(label));
  return { ...children, labels: new Map([...children.labels].filter(([, label]) => isMatching(label))) };
}

/** Returns null if the roll-up cannot answer. */
export async function buildRollupTree(source: RolledSource, query: ReportQuery): Promise<TreeReport | null> {
  const scope = findRollupScope(source.rollup, 'cells', query);
  const moments = findRollupScope(source.rollup, 'moments', query);
  if (scope === null || moments === null || query.fold === false) return null;
  const level = parseLevel(query);
  // All keys of the level decide what is folded, so that a search does not unfold it.
  const whole = { ...scope, paths: scope.onPath };
  const children = filterChildren(findChildren(source.rollup!, whole, level.depth), compileChildMatch(query.match));
  if (children === null) return null;
  const sort = parseTreeSort(query);
  const options = { asOf: source.asOf, page: parsePage(query) };
  const selected = scope.paths.filter((number) => children.labels.has(number));
  if (selected.length === 0)
    return toTreeReport(level, sort, [], { ...NO_TOTALS, nodes: 0 }, NO_CHILD_DETAILS, options);
  const facts = buildCellFacts(scope);
  const getPathLabel = (number: number) => children.labels.get(number)!;
  const unlabelled = { ...scope, where: scope.where.copy() };
  const cells = labelledSql({ ...scope, paths: selected }, getPathLabel);
  const leaves = selected.filter((number) => source.rollup!.paths[number]!.segments.length === level.depth + 1);
  const isLeaf = leaves.length === 0 ? 'false' : `path IN (${leaves.join(', ')})`;
  // Count nodes and the types of each in one statement, because most of its cost is planning.
  const counting = source.query<NodeRow & { label: string; type: string | null; ofType: boolean }>(
    `SELECT label, type, grouping(type) = 0 AS ofType, ${CELL_TOTALS}, ${facts.keys(isLeaf)} AS leafKeys, ${facts.maxBytes} AS maxBytes,
       ${facts.keys(facts.none)} AS noExpiry, ${facts.minExpire} AS minExpire, ${facts.maxExpire} AS maxExpire,
       ${facts.keys(facts.big)} AS bigkeys, ${facts.example} AS example
     FROM ${cells} GROUP BY GROUPING SETS ((label), (label, type))`,
    scope.where.values,
  );
  const readMedians = (ask: RolledSource['query'], paths: number[]) => {
    const steps = { ...moments, where: moments.where.copy() };
    const from = labelledSql({ ...steps, paths }, getPathLabel);
    return ask<MedianRow>(mediansSql(from), steps.where.values);
  };
  const areAllShown = options.page.offset === 0 && new Set(selected.map(getPathLabel)).size <= options.page.limit;
  const [counted, mediansOfAll] = await waitForBoth(
    counting,
    areAllShown ? readMedians(source.queryInParallel, selected) : Promise.resolve(null),
  );
  // True if the query is about all keys of the level: it has only a path, which is complete up to a delimiter.
  const isWhole = narrowsByPathOnly(query) && /^$|:$/.test(level.path);
  const nodes = counted.flatMap(({ label, type: _, ofType, ...row }): NodeRow[] => {
    if (ofType) return [];
    const child = parseChildLabel(label);
    const { form } = child;
    const folded = form !== null && isWhole ? (source.rollup!.ids.get(level.path + form) ?? null) : null;
    return [{ ...row, ...child, folded }];
  });
  const all = { ...sumTotals(nodes), nodes: nodes.length };
  const shown = pickShownRows(nodes, level, sort, options.page);
  const labels = new Set(shown.map(toChildLabel));
  const paths = selected.filter((number) => labels.has(getPathLabel(number)));
  if (paths.length === 0) return toTreeReport(level, sort, [], all, NO_CHILD_DETAILS, options);
  const groupByLabel = (some: readonly number[]) => {
    const found = new Map<string, number[]>(shown.map((row) => [toChildLabel(row), []]));
    for (const number of some) found.get(getPathLabel(number))?.push(number);
    return found;
  };
  const pathsByLabel = groupByLabel(paths);
  for (const row of shown) {
    const own = pathsByLabel.get(toChildLabel(row)) ?? [];
    row.descent = findOnlyDescentOfPaths(
      own.map((number) => source.rollup!.paths[number]!),
      level.depth,
      row.form !== null,
    );
  }
  const nested = { ...unlabelled, where: unlabelled.where.copy() };
  const medians = mediansOfAll ?? (await readMedians(source.query, paths));
  const ofTypes = counted.filter(({ label, ofType }) => ofType && labels.has(label));
  const report = toTreeReport(level, sort, shown, all, buildChildDetails(medians, ofTypes), options);
  const numbersByLabel = groupByLabel([...children.labels.keys()]);
  if (query.nested)
    await addBelow(source, report, { scope: nested, pathsByLabel: numbersByLabel, level, measure: query.nested });
  return report;
}
