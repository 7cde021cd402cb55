import type { ComponentProps } from 'react';
import type { RowMark } from '@/components/data-table/data-column';
import type { ActiveNode } from './active/active-node';
import type { TreeItem } from './tree-item';

export type NodeItem = TreeItem & { kind: 'node' };

/** The row that the Tab key reaches: the one that the keyboard was on last, otherwise the first. */
export const findTabStop = (active: ActiveNode, listed: readonly NodeItem[]): NodeItem | undefined =>
  listed.find(({ node }) => node.path === active.getFocusedPath()) ?? listed[0];

/** Returns what the table asks about its rows: which one is highlighted, and which one the Tab key reaches. */
export function createRowMark(active: ActiveNode, listed: readonly NodeItem[]): RowMark<TreeItem> {
  let [focused, tabStop] = [active.getFocusedPath(), findTabStop(active, listed)?.node.path];
  // Every row calls this on every movement, so the result is kept until another node is focused.
  const getTabStop = () => {
    const next = active.getFocusedPath();
    if (next !== focused) [focused, tabStop] = [next, findTabStop(active, listed)?.node.path];
    return tabStop;
  };
  return {
    subscribe: active.subscribe,
    isMarked: (item) => item.kind === 'node' && item.node.path === active.getPath(),
    isReachable: (item) => item.kind === 'node' && item.node.path === getTabStop(),
  };
}

/** Returns props with which a row that is pointed at or focused highlights its node in the map. */
export const createRowProps =
  (active: ActiveNode) =>
  (item: TreeItem): ComponentProps<'tr'> =>
    item.kind === 'node'
      ? {
          onMouseEnter: () => active.point(item.node.path),
          onMouseLeave: () => active.point(null),
          onFocus: () => active.focus(item.node.path),
        }
      : { className: 'text-muted-foreground' };
