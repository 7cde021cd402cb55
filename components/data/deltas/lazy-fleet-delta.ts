import { createLazyPart } from '@/components/ui/on-demand/lazy-part';

/** Changes since the scans before, loaded after the figures that they belong to. */
export const LazyFleetDelta = createLazyPart(() => import('./fleet-delta').then((loaded) => loaded.FleetDelta));
