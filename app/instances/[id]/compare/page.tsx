import { type PageProps, prefetchComparison } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/app/prefetched';
import { ComparePage } from '@/components/compare/compare-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchComparison(props)}>
      <ComparePage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
