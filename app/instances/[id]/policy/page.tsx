import { pageTitle } from '@/app/page-title';
import { PolicyPage } from '@/components/policy/policy-page';

export const generateMetadata = () => pageTitle('policy');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <PolicyPage instanceId={decodeURIComponent((await params).id)} />;
}
