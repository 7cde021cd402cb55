import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeReport } from '@/lib/model/reports/reports';
import { atOnce } from '@/lib/snapshots/query/at-once';
import { CELL_TOTALS, cellFacts, labelledSql, type RolledSource } from '@/lib/snapshots/reports/facts';
import { type MedianRow, mediansSql } from '@/lib/snapshots/reports/grouping/medians';
import { narrowsByPathOnly, rollupScope } from '@/lib/snapshots/rollup/scope';
import { addBelow } from './below-of-rollup';
import { type ChildMatch, childMatch } from './child-match';
import { type Children, childrenOf } from './children-of';
import { onlyWayOfPaths } from './only-way';
import {
  besideOf,
  childOf,
  childPage,
  labelOf,
  levelOf,
  NOTHING_BESIDE,
  type NodeRow,
  shownRows,
  treeOrder,
  treeReport,
} from './tree-level';

function matching(children: Children | null, match: ChildMatch | null): Children | null {
  if (children === null || match === null) return children;
  const fits = (label: string) => match.test(childOf(label));
  return { ...children, labels: new Map([...children.labels].filter(([, label]) => fits(label))) };
}

/** Returns null if the roll-up cannot answer. */
export async function treeOfRollup(source: RolledSource, query: ReportQuery): Promise<TreeReport | null> {
  const scope = rollupScope(source.rollup, 'cells', query);
  const moments = rollupScope(source.rollup, 'moments', query);
  if (scope === null || moments === null || query.fold === false) return null;
  const level = levelOf(query);
  // Take all keys of the level, so that a search does not unfold it.
  const whole = { ...scope, paths: scope.onPath };
  const children = matching(childrenOf(source.rollup!, whole, level.depth), childMatch(query.match));
  if (children === null) return null;
  const sort = treeOrder(query);
  const options = { asOf: source.asOf, page: childPage(query) };
  const none = { keys: 0, bytes: 0, bytesUnknown: 0, nodes: 0 };
  const asked = scope.paths.filter((number) => children.labels.has(number));
  if (asked.length === 0) return treeReport(level, sort, [], none, NOTHING_BESIDE, options);
  const facts = cellFacts(scope);
  const labelOfPath = (number: number) => children.labels.get(number)!;
  const unlabelled = { ...scope, where: scope.where.copy() };
  const cells = labelledSql({ ...scope, paths: asked }, labelOfPath);
  const leaves = asked.filter((number) => source.rollup!.paths[number]!.segments.length === level.depth + 1);
  const isLeaf = leaves.length === 0 ? 'false' : `path IN (${leaves.join(', ')})`;
  // Count nodes and the types of each in one statement, because most of its cost is planning.
  const counting = source.query<NodeRow & { label: string; type: string | null; ofType: boolean }>(
    `SELECT label, type, grouping(type) = 0 AS ofType, ${CELL_TOTALS}, ${facts.keys(isLeaf)} AS leafKeys, ${facts.maxBytes} AS maxBytes,
       ${facts.keys(facts.none)} AS noExpiry, ${facts.minExpire} AS minExpire, ${facts.maxExpire} AS maxExpire,
       ${facts.keys(facts.big)} AS bigkeys, ${facts.example} AS example
     FROM ${cells} GROUP BY GROUPING SETS ((label), (label, type))`,
    scope.where.values,
  );
  const mediansOf = (ask: RolledSource['query'], paths: number[]) => {
    const steps = { ...moments, where: moments.where.copy() };
    const from = labelledSql({ ...steps, paths }, labelOfPath);
    return ask<MedianRow>(mediansSql(from), steps.where.values);
  };
  const areAllShown = options.page.offset === 0 && new Set(asked.map(labelOfPath)).size <= options.page.limit;
  const [counted, mediansOfAll] = await atOnce(
    counting,
    areAllShown ? mediansOf(source.queryBeside, asked) : Promise.resolve(null),
  );
  // True if the query is about all keys of the level: it has only a path, which is complete up to a delimiter.
  const isWhole = narrowsByPathOnly(query) && /^$|:$/.test(level.path);
  const nodes = counted.flatMap(({ label, type: _, ofType, ...row }): NodeRow[] => {
    if (ofType) return [];
    const child = childOf(label);
    const { form } = child;
    const folded = form !== null && isWhole ? (source.rollup!.ids.get(level.path + form) ?? null) : null;
    return [{ ...row, ...child, folded }];
  });
  const all = nodes.reduce(
    (sum, row) => ({
      keys: sum.keys + row.keys,
      bytes: sum.bytes + row.bytes,
      bytesUnknown: sum.bytesUnknown + row.bytesUnknown,
      nodes: sum.nodes + 1,
    }),
    none,
  );
  const shown = shownRows(nodes, level, sort, options.page);
  const labels = new Set(shown.map(labelOf));
  const paths = asked.filter((number) => labels.has(labelOfPath(number)));
  if (paths.length === 0) return treeReport(level, sort, [], all, NOTHING_BESIDE, options);
  const ofLabels = (some: readonly number[]) => {
    const found = new Map<string, number[]>(shown.map((row) => [labelOf(row), []]));
    for (const number of some) found.get(labelOfPath(number))?.push(number);
    return found;
  };
  const pathsOf = ofLabels(paths);
  for (const row of shown) {
    const own = pathsOf.get(labelOf(row)) ?? [];
    row.way = onlyWayOfPaths(
      own.map((number) => source.rollup!.paths[number]!),
      level.depth,
      row.form !== null,
    );
  }
  const nested = { ...unlabelled, where: unlabelled.where.copy() };
  const medians = mediansOfAll ?? (await mediansOf(source.query, paths));
  const ofTypes = counted.filter(({ label, ofType }) => ofType && labels.has(label));
  const beside = besideOf(medians, ofTypes);
  const report = treeReport(level, sort, shown, all, beside, options);
  const onPathOf = ofLabels([...children.labels.keys()]);
  if (query.nested) await addBelow(source, report, { scope: nested, pathsOf: onPathOf, level, measure: query.nested });
  return report;
}
