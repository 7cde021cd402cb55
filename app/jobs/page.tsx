import { jobsData } from '@/app/first-answers';
import { withMessages } from '@/app/with-messages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { JobsPage } from '@/components/jobs/jobs-page';

function Page() {
  return (
    <Prefetched read={jobsData}>
      <JobsPage />
    </Prefetched>
  );
}

export default withMessages('/jobs', Page);
