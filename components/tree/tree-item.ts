import { getLiteralBeginning } from '@/components/reports/filter/level-filter';
import type { TreeNode, TreeReport } from '@/lib/model/reports/reports';

/** The longest path in a title or label, in characters: names may be megabytes long. */
export const MAX_TITLE = 2048;

/**
 * A node as the page shows it. If all keys of a node continue with the same segment, the node is shown as the place
 * where they branch: `path` is the path of that place, `start` the node's own path. `begins`: the literal text that all
 * its names begin with in this segment, if the folded form does not contain it (`1` for `user:{int}` on the level
 * `user:1`); '' if it does.
 */
export type ShownNode = TreeNode & { start: string; begins: string };

/**
 * A line of the tree table: a node, the sum of the nodes that are not listed (`rest`), or a placeholder until the nodes
 * are loaded. `under`: the path of the opened node that the line is below; '': it is on the level of the page.
 */
export type TreeItem =
  | { kind: 'node'; node: ShownNode }
  | { kind: 'rest'; under: string; rest: NonNullable<TreeReport['rest']> }
  | { kind: 'wait' | 'failed'; under: string };

type TreeLevel = Pick<TreeReport, 'path' | 'delimiter'>;

export const toShownNode = (node: TreeNode, level: TreeLevel): ShownNode => ({
  ...node,
  start: node.path,
  path: node.endPath,
  begins: getBeginning(node, level),
});

/**
 * On a level that ends within a segment (`user:1`) the folded form of ids (`user:{int}`) says less than the level's
 * path.
 */
function getBeginning({ folds, segment }: TreeNode, { path, delimiter }: TreeLevel): string {
  const tail = getLiteralBeginning(path.split(delimiter).at(-1) ?? '');
  const literal = getLiteralBeginning(segment);
  return folds && tail.startsWith(literal) && tail.length > literal.length ? tail : '';
}

export const toTreeItems = (report: TreeLevel & Pick<TreeReport, 'children' | 'rest'>, under: string): TreeItem[] => [
  ...report.children.map((node): TreeItem => ({ kind: 'node', node: toShownNode(node, report) })),
  ...(report.rest ? [{ kind: 'rest' as const, under, rest: report.rest }] : []),
];

/** A name may be a key and a branch at once: the last character distinguishes their lines. */
export const getNodeId = (node: ShownNode): string => `${node.path}${node.branchKeys > 0 ? '/' : '.'}`;
export const getItemId = (item: TreeItem): string =>
  item.kind === 'node' ? getNodeId(item.node) : `${item.under}:${item.kind}`;

/** Returns the id of the row of a branch. Only branches can be opened. */
export const toBranchId = (path: string): string => `${path}/`;
export const toBranchPath = (id: string): string => id.slice(0, -1);
