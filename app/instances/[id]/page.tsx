import { type PageProps, prefetchOverview } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { OverviewPage } from '@/components/instances/overview/overview-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchOverview(props)}>
      <OverviewPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
