import { prefetchSchedules } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { SchedulesPage } from '@/components/schedules/schedules-page';

export default function Page() {
  return (
    <Prefetched read={prefetchSchedules}>
      <SchedulesPage />
    </Prefetched>
  );
}
