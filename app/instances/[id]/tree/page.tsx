import { type PageProps, reportData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { TreePage } from '@/components/tree/tree-page';

export const generateMetadata = () => pageTitle('tree');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={reportData(props, 'tree')}>
      <TreePage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
