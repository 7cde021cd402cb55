import { prefetchJob } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { JobPage } from '@/components/jobs/job-page';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Prefetched read={prefetchJob(params)}>
      <JobPage id={(await params).id} />
    </Prefetched>
  );
}
