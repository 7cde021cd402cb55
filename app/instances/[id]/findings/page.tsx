import { pageTitle } from '@/app/page-title';
import { FindingsPage } from '@/components/findings/findings-page';

export const generateMetadata = () => pageTitle('findings');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <FindingsPage instanceId={decodeURIComponent((await params).id)} />;
}
