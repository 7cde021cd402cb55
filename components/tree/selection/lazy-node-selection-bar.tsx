import dynamic from 'next/dynamic';

/** What can be done with ticked nodes, loaded when the first one is ticked. */
export const LazyNodeSelectionBar = dynamic(
  () => import('./node-selection-bar').then((loaded) => loaded.NodeSelectionBar),
  { ssr: false },
);
