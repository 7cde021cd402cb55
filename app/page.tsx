import { prefetchFleet } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { FleetPage } from '@/components/fleet/fleet-page';

export default function Page() {
  return (
    <Prefetched read={prefetchFleet}>
      <FleetPage />
    </Prefetched>
  );
}
