import { pageTitle } from '@/app/page-title';
import { DeletionPage } from '@/components/deletions/deletion-page';

export const generateMetadata = () => pageTitle('deletions');

export default async function Page({ params }: { params: Promise<{ id: string; deletion: string }> }) {
  const { id, deletion } = await params;
  return <DeletionPage instanceId={decodeURIComponent(id)} id={decodeURIComponent(deletion)} />;
}
