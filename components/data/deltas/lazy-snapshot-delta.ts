import { createLazyPart } from '@/components/ui/on-demand/lazy-part';

/** Changes since the scan before, loaded after the figures that they belong to. */
export const LazySnapshotDelta = createLazyPart(() =>
  import('./snapshot-delta').then((loaded) => loaded.SnapshotDelta),
);
