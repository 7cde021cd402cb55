import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeReport } from '@/lib/model/reports/reports';
import type { RolledSource } from '@/lib/snapshots/reports/cells';
import { type Decision, decide } from '@/lib/snapshots/rollup/scope';
import { findChildren } from './find-children';
import { addRestGroups } from './group-rest';
import { buildKeyTree } from './key-tree';
import { buildRollupTree } from './rollup-tree';
import { parseLevel } from './tree-level';

/**
 * Returns the children of a path, one child per segment. Segments with ids become one child of their folded form
 * (`{int}`, `user_{int}`: lib/model/names/fold-segment.ts) if the level has more than 20 different ones of it. The
 * path comes in folded form by `template`, or as the beginning of names by `prefix`. A name that ends here is a leaf,
 * and one that continues is in a branch; a child can be both. Empty segments (`a::b`) are segments. After 64 levels the
 * rest of a name is one leaf.
 */
export const buildTreeReport = (source: RolledSource, decision: Decision, query: ReportQuery): Promise<TreeReport> =>
  decision.kind === 'sums'
    ? buildRollupTree(source, decision.scope, query)
    : buildKeyTree(source, query, findKnownForms(source, query));

/**
 * Returns the level that a page of the tree shows. A path that ends with a folded id and no delimiter (`user:{int}`)
 * has the values of that id as its children: the decision has the query without folding then.
 */
export async function buildLevelReport(source: RolledSource, decision: Decision): Promise<TreeReport> {
  const { query } = decision;
  const report = await buildTreeReport(source, decision, query);
  const isGrouped = report.rest === null || report.rest.groups !== undefined;
  if (query.nested && !isGrouped) await addRestGroups(source, query, report);
  return report;
}

/**
 * Returns the forms that all keys of a level fold to, so that a filter that only the keys can answer does not unfold
 * it. null: the roll-up does not know them.
 */
function findKnownForms(source: RolledSource, { prefix, template, delimiter, fold }: ReportQuery): string[] | null {
  const path = { prefix, template, delimiter, fold };
  const decision = decide(source.rollup, 'level', path);
  if (decision.kind === 'keys' || decision.scope.paths.length === 0) return null;
  return findChildren(decision.scope, parseLevel(path).depth).forms;
}
