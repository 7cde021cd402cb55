import { type PageProps, prefetchReport } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { PatternsPage } from '@/components/patterns/patterns-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchReport(props, 'patterns')}>
      <PatternsPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
