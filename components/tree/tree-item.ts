import type { TreeNode, TreeReport } from '@/lib/model/reports/reports';

/**
 * A line of the tree table: a node, the sum of those that are not listed, or what stands there until they come. Where
 * all keys of a node go on together, it is shown as the place where they part: `path` is that, `start` its own.
 */
export type ShownNode = TreeNode & { start: string };
export type TreeItem =
  | { kind: 'node'; node: ShownNode }
  | { kind: 'rest'; under: string; rest: NonNullable<TreeReport['rest']> }
  | { kind: 'wait' | 'failed'; under: string };

export const shownNode = (node: TreeNode): ShownNode => ({ ...node, start: node.path, path: node.endPath });

export const itemsOf = (report: Pick<TreeReport, 'children' | 'rest'>, under: string): TreeItem[] => [
  ...report.children.map((node): TreeItem => ({ kind: 'node', node: shownNode(node) })),
  ...(report.rest ? [{ kind: 'rest' as const, under, rest: report.rest }] : []),
];

/** A name may be a key and a branch at once: the sign at the end tells their lines apart. */
export const nodeId = (node: ShownNode): string => `${node.path}${node.branchKeys > 0 ? '/' : '.'}`;
export const itemId = (item: TreeItem): string =>
  item.kind === 'node' ? nodeId(item.node) : `${item.under}:${item.kind}`;

export const branchId = (path: string): string => `${path}/`;
export const pathOfBranch = (id: string): string => id.slice(0, -1);
