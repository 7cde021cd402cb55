import { type PageProps, prefetchReport } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { TtlPage } from '@/components/ttl/ttl-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchReport(props, 'ttl')}>
      <TtlPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
