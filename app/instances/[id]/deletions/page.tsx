import { pageTitle } from '@/app/page-title';
import { DeletionsPage } from '@/components/deletions/deletions-page';

export const generateMetadata = () => pageTitle('deletions');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <DeletionsPage instanceId={decodeURIComponent((await params).id)} />;
}
