import { type PageProps, reportData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { NamesPage } from '@/components/names/names-page';

export const generateMetadata = () => pageTitle('names');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={reportData(props, 'names')}>
      <NamesPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
