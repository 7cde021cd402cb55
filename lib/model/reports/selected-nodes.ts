import type { SelectedNode } from '../selected-node';
import type { TreeNode } from './reports';

/**
 * A node of the tree as a selection names its keys: those that end there and those that go on. A path alone would not
 * tell them apart: the key `a:` ends where `a:b` is below.
 */
export function selectedNodes(
  { path, branchKeys, leafKeys }: Pick<TreeNode, 'path' | 'branchKeys' | 'leafKeys'>,
  delimiter: string,
): SelectedNode[] {
  const end = { path: branchKeys === 0 ? path : path.slice(0, -delimiter.length), end: true };
  return [...(branchKeys > 0 ? [{ path, end: false }] : []), ...(leafKeys > 0 ? [end] : [])];
}
