import { type PageProps, prefetchReport } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { TreePage } from '@/components/tree/tree-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchReport(props, 'tree')}>
      <TreePage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
