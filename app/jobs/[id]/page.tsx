import { withMessages } from '@/app/with-messages';
import { JobPage } from '@/components/jobs/job-page';

async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <JobPage id={(await params).id} />;
}

export default withMessages('/jobs/[id]', Page);
