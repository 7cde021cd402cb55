import { jobsData } from '@/app/first-answers';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { JobsPage } from '@/components/jobs/jobs-page';

export default function Page() {
  return (
    <Prefetched read={jobsData}>
      <JobsPage />
    </Prefetched>
  );
}
