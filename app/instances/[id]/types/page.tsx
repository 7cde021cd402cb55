import { type PageProps, prefetchReport } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { TypesPage } from '@/components/types/types-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchReport(props, 'types')}>
      <TypesPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
