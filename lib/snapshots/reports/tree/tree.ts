import { foldedSegment } from '@/lib/model/names/folded-segment';
import type { ReportQuery } from '@/lib/model/reports/query';
import type { TreeReport } from '@/lib/model/reports/reports';
import type { RolledSource } from '@/lib/snapshots/reports/facts';
import { templatesOnPath } from '@/lib/snapshots/reports/grouping/by-template';
import { rollupScope } from '@/lib/snapshots/rollup/scope';
import { childrenOf } from './children-of';
import { childOf, levelOf } from './tree-level';
import { treeOfTemplates } from './tree-of-groups';
import { type KnownLevel, treeOfKeys } from './tree-of-keys';
import { treeOfRollup } from './tree-of-rollup';

/**
 * Returns the children of a path, one child per segment. Segments with ids become one child of their folded form
 * (`{int}`, `user_{int}`: lib/model/names/folded-segment.ts) if the level has more than 20 different ones of it. The
 * path comes in folded form by `template`, or as the beginning of names by `prefix`. A name that ends here is a leaf,
 * and one that continues is in a branch; a child can be both. Empty segments (`a::b`) are segments. After 64 levels the
 * rest of a name is one leaf.
 */
export async function tree(source: RolledSource, query: ReportQuery): Promise<TreeReport> {
  const rolled = await treeOfRollup(source, query);
  if (rolled !== null) return rolled;
  const known = knownLevel(source, query);
  if (known !== null && areTemplates(source, query, known)) return treeOfTemplates(source, query, known.forms);
  return treeOfKeys(source, query, known);
}

/** With more children there are more types and moments of expiry than one pass should keep. */
const FEW_CHILDREN = 40;

interface Known extends KnownLevel {
  /** The children as `labelOf` writes them. */
  children: string[];
}

/**
 * Returns what is known of a level from all its keys, so that a filter that only the keys can answer does not unfold
 * it.
 */
function knownLevel(source: RolledSource, { prefix, template, delimiter, fold }: ReportQuery): Known | null {
  const scope = rollupScope(source.rollup, 'cells', { prefix, template, delimiter });
  if (scope === null || scope.paths.length === 0) return null;
  const found = childrenOf(source.rollup!, scope, levelOf({ prefix, template, delimiter }).depth);
  if (found === null) return null;
  const children = [...new Set(found.labels.values())];
  return { forms: found.forms, children, few: children.length <= FEW_CHILDREN && fold !== false };
}

/** Whether few templates distinguish the children. Ids that are kept as they are can only be distinguished by names. */
const areTemplates = (source: RolledSource, query: ReportQuery, { few, children }: Known): boolean =>
  few &&
  templatesOnPath(source, query) !== null &&
  children.map(childOf).every(({ form, segment }) => form !== null || foldedSegment(segment!) === null);
