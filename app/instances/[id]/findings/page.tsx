import { findingsData, type PageProps } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { FindingsPage } from '@/components/findings/findings-page';

export const generateMetadata = () => pageTitle('findings');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={findingsData(props)}>
      <FindingsPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
