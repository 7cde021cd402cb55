import { policyData } from '@/app/first-answers';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { PolicyPage } from '@/components/policy/policy-page';

export const generateMetadata = () => pageTitle('policy');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Prefetched read={policyData(params)}>
      <PolicyPage instanceId={decodeURIComponent((await params).id)} />
    </Prefetched>
  );
}
