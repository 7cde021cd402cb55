import { fleetData } from '@/app/first-data';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { FleetPage } from '@/components/fleet/fleet-page';

export default function Page() {
  return (
    <Prefetched read={fleetData}>
      <FleetPage />
    </Prefetched>
  );
}
