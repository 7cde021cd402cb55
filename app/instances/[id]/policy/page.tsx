import { prefetchPolicy } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { PolicyPage } from '@/components/policy/policy-page';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Prefetched read={prefetchPolicy(params)}>
      <PolicyPage instanceId={decodeURIComponent((await params).id)} />
    </Prefetched>
  );
}
