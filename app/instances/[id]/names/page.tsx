import { type PageProps, prefetchReport } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { NamesPage } from '@/components/names/names-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchReport(props, 'names')}>
      <NamesPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
