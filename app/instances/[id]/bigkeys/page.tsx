import { type PageProps, reportData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { BigkeysPage } from '@/components/bigkeys/bigkeys-page';
import { Prefetched } from '@/components/data/first-html/prefetched';

export const generateMetadata = () => pageTitle('bigkeys');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={reportData(props, 'bigkeys')}>
      <BigkeysPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
