import { type PageProps, prefetchReport } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { KeysPage } from '@/components/keys/keys-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchReport(props, 'keys')}>
      <KeysPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
