import { buildPageTitle } from '@/app/page-title';
import { type PageProps, prefetchReport } from '@/app/prefetch-snapshot-pages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { PatternsPage } from '@/components/patterns/patterns-page';

export const generateMetadata = () => buildPageTitle('patterns');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={prefetchReport(props, 'patterns')}>
      <PatternsPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
