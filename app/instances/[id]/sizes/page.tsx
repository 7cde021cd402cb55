import { type PageProps, prefetchReport } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { SizesPage } from '@/components/sizes/sizes-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchReport(props, 'sizes')}>
      <SizesPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
