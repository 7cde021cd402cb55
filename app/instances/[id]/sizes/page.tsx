import { type PageProps, reportData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { SizesPage } from '@/components/sizes/sizes-page';

export const generateMetadata = () => pageTitle('sizes');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={reportData(props, 'sizes')}>
      <SizesPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
