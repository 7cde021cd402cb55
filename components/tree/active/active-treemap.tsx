import type { ComponentProps } from 'react';
import { Treemap } from '@/components/charts/treemap';
import type { TreemapItem } from '@/components/charts/treemap-item';
import { type ActiveNode, useActivePath } from './active-node';

type TreemapOf<T extends TreemapItem> = ComponentProps<typeof Treemap<T>>;

/**
 * The treemap next to the table. It subscribes to the marked node by itself, so that a change does not render the page
 * again.
 */
export function ActiveTreemap<T extends TreemapItem>(
  props: Omit<TreemapOf<T>, 'activeId' | 'onActive'> & { active: ActiveNode },
) {
  const { active, ...treemap } = props;
  const activeId = useActivePath(active);
  return (
    <Treemap
      {...treemap}
      activeId={activeId}
      onActive={(id, by) => (by === 'keyboard' && id !== null ? active.walk(id) : active.point(id))}
    />
  );
}
