import { deletionData } from '@/app/first-answers';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { DeletionPage } from '@/components/deletions/deletion-page';

export const generateMetadata = () => pageTitle('deletions');

export default async function Page({ params }: { params: Promise<{ id: string; deletion: string }> }) {
  const { id, deletion } = await params;
  return (
    <Prefetched read={deletionData(params)}>
      <DeletionPage instanceId={decodeURIComponent(id)} id={decodeURIComponent(deletion)} />
    </Prefetched>
  );
}
