import { prefetchServer } from '@/app/prefetch-pages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { ServerPage } from '@/components/instances/server/server-page';
import { ServerRulesCard } from '@/components/server/server-rules-card';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const id = decodeURIComponent((await params).id);
  return (
    <Prefetched read={prefetchServer(params)}>
      <ServerPage instanceId={id} standards={<ServerRulesCard instanceId={id} />} />
    </Prefetched>
  );
}
