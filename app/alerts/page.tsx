import { prefetchAlerts } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { AlertsPage } from '@/components/alerts/alerts-page';

export default function Page() {
  return (
    <Prefetched read={prefetchAlerts}>
      <AlertsPage />
    </Prefetched>
  );
}
