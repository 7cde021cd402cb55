import { type PageProps, reportData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { KeysPage } from '@/components/keys/keys-page';

export const generateMetadata = () => pageTitle('keys');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={reportData(props, 'keys')}>
      <KeysPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
