import { literalBeginning } from '@/components/reports/filter/level-filter';
import type { TreeNode, TreeReport } from '@/lib/model/reports/reports';

/**
 * A line of the tree table: a node, the sum of those that are not listed, or what stands there until they come. Where
 * all keys of a node go on together, it is shown as the place where they part: `path` is that, `start` its own.
 * `begins`: what all its names begin with at this place, where the folded form does not say it; '' where it does.
 */
export type ShownNode = TreeNode & { start: string; begins: string };
export type TreeItem =
  | { kind: 'node'; node: ShownNode }
  | { kind: 'rest'; under: string; rest: NonNullable<TreeReport['rest']> }
  | { kind: 'wait' | 'failed'; under: string };

type TreeLevel = Pick<TreeReport, 'path' | 'delimiter'>;

export const shownNode = (node: TreeNode, level?: TreeLevel): ShownNode => ({
  ...node,
  start: node.path,
  path: node.endPath,
  begins: level === undefined ? '' : beginsOf(node, level),
});

/** On a level that ends within a segment (`user:1`) the form of ids (`user:{int}`) tells less than was asked for. */
function beginsOf({ folds, segment }: TreeNode, { path, delimiter }: TreeLevel): string {
  const tail = literalBeginning(path.split(delimiter).at(-1) ?? '');
  const literal = literalBeginning(segment);
  return folds && tail.startsWith(literal) && tail.length > literal.length ? tail : '';
}

export const itemsOf = (report: TreeLevel & Pick<TreeReport, 'children' | 'rest'>, under: string): TreeItem[] => [
  ...report.children.map((node): TreeItem => ({ kind: 'node', node: shownNode(node, report) })),
  ...(report.rest ? [{ kind: 'rest' as const, under, rest: report.rest }] : []),
];

/** A name may be a key and a branch at once: the sign at the end tells their lines apart. */
export const nodeId = (node: ShownNode): string => `${node.path}${node.branchKeys > 0 ? '/' : '.'}`;
export const itemId = (item: TreeItem): string =>
  item.kind === 'node' ? nodeId(item.node) : `${item.under}:${item.kind}`;

export const branchId = (path: string): string => `${path}/`;
export const pathOfBranch = (id: string): string => id.slice(0, -1);
