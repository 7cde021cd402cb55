import { jobData } from '@/app/first-answers';
import { withMessages } from '@/app/with-messages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { JobPage } from '@/components/jobs/job-page';

async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Prefetched read={jobData(params)}>
      <JobPage id={(await params).id} />
    </Prefetched>
  );
}

export default withMessages('/jobs/[id]', Page);
