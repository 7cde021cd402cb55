import { prefetchJobs } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { JobsPage } from '@/components/jobs/jobs-page';

export default function Page() {
  return (
    <Prefetched read={prefetchJobs}>
      <JobsPage />
    </Prefetched>
  );
}
