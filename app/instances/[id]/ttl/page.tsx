import { type PageProps, reportData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { TtlPage } from '@/components/ttl/ttl-page';

export const generateMetadata = () => pageTitle('ttl');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={reportData(props, 'ttl')}>
      <TtlPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
