import type { ComponentProps } from 'react';
import { onDemand } from '@/components/ui/on-demand/on-demand';
import type { NodeSelectionBar } from './node-selection-bar';

const useBar = onDemand(() => import('./node-selection-bar').then((loaded) => loaded.NodeSelectionBar));

/** What can be done with ticked nodes, loaded when the first one is ticked. */
export function LazyNodeSelectionBar(props: ComponentProps<typeof NodeSelectionBar>) {
  const Bar = useBar(true);
  return Bar ? <Bar {...props} /> : null;
}
