import type { ComponentProps } from 'react';
import { Treemap } from '@/components/charts/treemap';
import type { TreemapItem } from '@/components/charts/treemap-item';
import { type ActiveNode, useActivePath } from './active-node';

type TreemapOf<T extends TreemapItem> = ComponentProps<typeof Treemap<T>>;

/** The treemap beside the table: of the page it alone is drawn anew when another node is marked. */
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
