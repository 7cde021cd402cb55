import { foldSegment } from '@/lib/model/names/fold-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeReport } from '@/lib/model/reports/reports';
import type { RolledSource } from '@/lib/snapshots/reports/facts';
import { listTemplatesOnPath } from '@/lib/snapshots/reports/grouping/by-template';
import { findRollupScope } from '@/lib/snapshots/rollup/scope';
import { findChildren } from './find-children';
import { buildTemplateTree } from './group-tree';
import { buildKeyTree, type KnownLevel } from './key-tree';
import { buildRollupTree } from './rollup-tree';
import { parseChildLabel, parseLevel } from './tree-level';

/**
 * Returns the children of a path, one child per segment. Segments with ids become one child of their folded form
 * (`{int}`, `user_{int}`: lib/model/names/fold-segment.ts) if the level has more than 20 different ones of it. The
 * path comes in folded form by `template`, or as the beginning of names by `prefix`. A name that ends here is a leaf,
 * and one that continues is in a branch; a child can be both. Empty segments (`a::b`) are segments. After 64 levels the
 * rest of a name is one leaf.
 */
export async function buildTreeReport(source: RolledSource, query: ReportQuery): Promise<TreeReport> {
  const rolled = await buildRollupTree(source, query);
  if (rolled !== null) return rolled;
  const known = findKnownLevel(source, query);
  if (known !== null && isTemplateLevel(source, query, known)) return buildTemplateTree(source, query, known.forms);
  return buildKeyTree(source, query, known);
}

/** With more children there are more types and moments of expiry than one pass should keep. */
const FEW_CHILDREN = 40;

interface Known extends KnownLevel {
  /** The children as `toChildLabel` writes them. */
  children: string[];
}

/**
 * Returns what is known of a level from all its keys, so that a filter that only the keys can answer does not unfold
 * it.
 */
function findKnownLevel(source: RolledSource, { prefix, template, delimiter, fold }: ReportQuery): Known | null {
  const scope = findRollupScope(source.rollup, 'cells', { prefix, template, delimiter });
  if (scope === null || scope.paths.length === 0) return null;
  const found = findChildren(source.rollup!, scope, parseLevel({ prefix, template, delimiter }).depth);
  if (found === null) return null;
  const children = [...new Set(found.labels.values())];
  return { forms: found.forms, children, few: children.length <= FEW_CHILDREN && fold !== false };
}

/** Whether few templates distinguish the children. Ids that are kept as they are can only be distinguished by names. */
const isTemplateLevel = (source: RolledSource, query: ReportQuery, { few, children }: Known): boolean =>
  few &&
  listTemplatesOnPath(source, query) !== null &&
  children.map(parseChildLabel).every(({ form, segment }) => form !== null || foldSegment(segment!) === null);
