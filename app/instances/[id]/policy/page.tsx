import { policyData } from '@/app/first-answers';
import { pageTitle } from '@/app/page-title';
import { withMessages } from '@/app/with-messages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { PolicyPage } from '@/components/policy/policy-page';

export const generateMetadata = () => pageTitle('policy');

async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Prefetched read={policyData(params)}>
      <PolicyPage instanceId={decodeURIComponent((await params).id)} />
    </Prefetched>
  );
}

export default withMessages('/instances/[id]/policy', Page);
