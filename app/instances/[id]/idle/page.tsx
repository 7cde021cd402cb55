import { type PageProps, prefetchReport } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { IdlePage } from '@/components/idle/idle-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchReport(props, 'idle')}>
      <IdlePage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
