import { escapeSegment } from '@/lib/model/names/written-segment';
import type { TreeNode, TreeReport } from '@/lib/model/reports/reports';
import { CELL_TOTALS, type RolledSource, selectLabelledSums } from '@/lib/snapshots/reports/cells';
import { findMainTypes } from '@/lib/snapshots/reports/grouping/types-by-label';
import { areSeparateAt, type Scope } from '@/lib/snapshots/rollup/scope';
import { findChildren } from './find-children';
import { type Level, parseChildLabel, toChildLabel } from './tree-level';

/** Maximum number of branches that show a second level, and of parts in each: more would be too small to see. */
const PARENTS = 10;
const PARTS = 8;

interface Below {
  scope: Scope;
  /**
   * The label of a child → its paths, including those that a search excludes, because all of them decide what is
   * folded.
   */
  pathsByLabel: ReadonlyMap<string, readonly number[]>;
  level: Level;
  measure: 'keys' | 'bytes';
}
type Row = { label: string; type: string | null; ofType: boolean; keys: number; bytes: number };

/** Adds the largest parts to the largest branches, by one query to the roll-up. */
export async function addBelow(
  source: RolledSource,
  report: TreeReport,
  { scope, pathsByLabel, level, measure }: Below,
): Promise<void> {
  const { rollup } = scope;
  const selected = new Set(scope.paths);
  const parents = report.children
    .filter((node) => node.branchKeys > 0)
    .sort((a, b) => b[measure] - a[measure])
    .slice(0, PARENTS);
  /** Number of a path → the place of its branch in `parents` and the label of its part. */
  const labels = new Map<number, string>();
  const branches = new Set<string>();
  for (const [place, node] of parents.entries()) {
    const depth = level.depth + node.endPath.slice(node.path.length).split(level.delimiter).length;
    const { folds, segment } = node;
    const label = toChildLabel(folds ? { form: segment, segment: null } : { form: null, segment });
    const paths = (pathsByLabel.get(label) ?? []).filter((number) => rollup.paths[number]!.segments.length > depth);
    if (!areSeparateAt({ rollup, paths }, depth)) continue;
    for (const [number, part] of findChildren({ rollup, paths }, depth).labels) {
      if (!selected.has(number)) continue;
      labels.set(number, `${place}/${part}`);
      if (rollup.paths[number]!.segments.length > depth + 1) branches.add(`${place}/${part}`);
    }
  }
  if (labels.size === 0) return;
  const { from, values } = selectLabelledSums(scope, 'cells', (path) => labels.get(path)!, [...labels.keys()]);
  const rows = await source.query<Row>(
    `SELECT label, type, grouping(type) = 0 AS ofType, ${CELL_TOTALS} FROM ${from}
     GROUP BY GROUPING SETS ((label), (label, type)) ORDER BY ${measure} DESC, label`,
    values,
  );
  const parts = rows.filter(({ ofType }) => !ofType);
  const types = findMainTypes(
    rows.filter(({ ofType }) => ofType),
    (row) => row[measure],
  );
  for (const [place, node] of parents.entries()) {
    const own = parts.filter(({ label }) => label.startsWith(`${place}/`)).slice(0, PARTS);
    if (own.length > 0)
      node.below = own.map((row) => ({
        ...toPart(row, node, branches.has(row.label) ? level.delimiter : ''),
        type: types.get(row.label) ?? null,
      }));
  }
}

function toPart({ label, keys, bytes }: Row, node: TreeNode, end: string) {
  const { form, segment } = parseChildLabel(label.slice(label.indexOf('/') + 1));
  const written = form ?? escapeSegment(segment!);
  return { segment: form ?? segment!, path: node.endPath + written + end, keys, bytes };
}
