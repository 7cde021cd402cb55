import { bigkeysData, type PageProps } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { BigkeysPage } from '@/components/bigkeys/bigkeys-page';
import { Prefetched } from '@/components/data/prefetched';

export const generateMetadata = () => pageTitle('bigkeys');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={bigkeysData(props)}>
      <BigkeysPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
