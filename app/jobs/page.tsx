import { prefetchJobs } from '@/app/prefetch-pages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { JobsPage } from '@/components/jobs/jobs-page';

export default function Page() {
  return (
    <Prefetched read={prefetchJobs}>
      <JobsPage />
    </Prefetched>
  );
}
