import { prefetchTrends } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { TrendsPage } from '@/components/trends/trends-page';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Prefetched read={prefetchTrends(params)}>
      <TrendsPage instanceId={decodeURIComponent((await params).id)} />
    </Prefetched>
  );
}
