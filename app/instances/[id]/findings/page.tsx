import { type PageProps, prefetchFindings } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { FindingsPage } from '@/components/findings/findings-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchFindings(props)}>
      <FindingsPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
