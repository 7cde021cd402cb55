import { JobsPage } from '@/components/jobs/jobs-page';

export default function Page() {
  return <JobsPage />;
}
