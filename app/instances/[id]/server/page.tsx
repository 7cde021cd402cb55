import { prefetchServer } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { ServerPage } from '@/components/instances/server/server-page';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const id = decodeURIComponent((await params).id);
  return (
    <Prefetched read={prefetchServer(params)}>
      <ServerPage instanceId={id} />
    </Prefetched>
  );
}
