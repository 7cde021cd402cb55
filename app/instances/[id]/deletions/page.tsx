import { prefetchDeletions } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { DeletionsPage } from '@/components/deletions/deletions-page';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Prefetched read={prefetchDeletions(params)}>
      <DeletionsPage instanceId={decodeURIComponent((await params).id)} />
    </Prefetched>
  );
}
