import { prefetchDeletion } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { DeletionPage } from '@/components/deletions/deletion-page';

export default async function Page({ params }: { params: Promise<{ id: string; deletion: string }> }) {
  const { id, deletion } = await params;
  return (
    <Prefetched read={prefetchDeletion(params)}>
      <DeletionPage instanceId={decodeURIComponent(id)} id={decodeURIComponent(deletion)} />
    </Prefetched>
  );
}
