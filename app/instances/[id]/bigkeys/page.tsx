import { type PageProps, prefetchReport } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { BigkeysPage } from '@/components/bigkeys/bigkeys-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchReport(props, 'bigkeys')}>
      <BigkeysPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
