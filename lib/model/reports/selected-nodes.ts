import type { SelectedNode } from '../selected-node';
import type { TreeNode } from './reports';

/**
 * Converts a node of the tree to a selection of its keys: those that end there and those that continue below. A path
 * alone is ambiguous: the key `a:` ends where `a:b` is below.
 */
export function toSelectedNodes(
  { path, branchKeys, leafKeys }: Pick<TreeNode, 'path' | 'branchKeys' | 'leafKeys'>,
  delimiter: string,
): SelectedNode[] {
  const end = { path: branchKeys === 0 ? path : path.slice(0, -delimiter.length), end: true };
  return [...(branchKeys > 0 ? [{ path, end: false }] : []), ...(leafKeys > 0 ? [end] : [])];
}
