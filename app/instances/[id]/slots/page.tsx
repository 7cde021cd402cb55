import { type PageProps, reportData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { SlotsPage } from '@/components/slots/slots-page';

export const generateMetadata = () => pageTitle('slots');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={reportData(props, 'slots')}>
      <SlotsPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
