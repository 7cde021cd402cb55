import { fleetData } from '@/app/first-data';
import { withMessages } from '@/app/with-messages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { FleetPage } from '@/components/fleet/fleet-page';

function Page() {
  return (
    <Prefetched read={fleetData}>
      <FleetPage />
    </Prefetched>
  );
}

export default withMessages('/', Page);
