import { type PageProps, prefetchReport } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { SlotsPage } from '@/components/slots/slots-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchReport(props, 'slots')}>
      <SlotsPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
