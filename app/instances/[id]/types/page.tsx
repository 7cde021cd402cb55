import { type PageProps, reportData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { TypesPage } from '@/components/types/types-page';

export const generateMetadata = () => pageTitle('types');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={reportData(props, 'types')}>
      <TypesPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
