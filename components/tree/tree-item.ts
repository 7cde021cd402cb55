import type { TreeNode, TreeReport } from '@/lib/model/reports/reports';

/** A line of the tree table: a node, the sum of those that are not listed, or what stands there until they come. */
export type TreeItem =
  | { kind: 'node'; node: TreeNode }
  | { kind: 'rest'; under: string; rest: NonNullable<TreeReport['rest']> }
  | { kind: 'wait' | 'failed'; under: string };

export const itemsOf = (report: Pick<TreeReport, 'children' | 'rest'>, under: string): TreeItem[] => [
  ...report.children.map((node): TreeItem => ({ kind: 'node', node })),
  ...(report.rest ? [{ kind: 'rest' as const, under, rest: report.rest }] : []),
];

/** A name may be a key and a branch at once: the sign at the end tells their lines apart. */
export const itemId = (item: TreeItem): string =>
  item.kind === 'node' ? `${item.node.path}${item.node.branchKeys > 0 ? '/' : '.'}` : `${item.under}:${item.kind}`;

export const branchId = (path: string): string => `${path}/`;
export const pathOfBranch = (id: string): string => id.slice(0, -1);
