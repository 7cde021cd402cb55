import { type PageProps, reportData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { withMessages } from '@/app/with-messages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { KeysPage } from '@/components/keys/keys-page';

export const generateMetadata = () => pageTitle('keys');

async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={reportData(props, 'keys')}>
      <KeysPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}

export default withMessages('/instances/[id]/keys', Page);
