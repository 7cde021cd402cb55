import { type PageProps, reportData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { withMessages } from '@/app/with-messages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { TypesPage } from '@/components/types/types-page';

export const generateMetadata = () => pageTitle('types');

async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={reportData(props, 'types')}>
      <TypesPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}

export default withMessages('/instances/[id]/types', Page);
