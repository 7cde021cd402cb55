import { type PageProps, reportData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { PatternsPage } from '@/components/patterns/patterns-page';

export const generateMetadata = () => pageTitle('patterns');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={reportData(props, 'patterns')}>
      <PatternsPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
