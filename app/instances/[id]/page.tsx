import { overviewData, type PageProps } from '@/app/first-data';
import { withMessages } from '@/app/with-messages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { OverviewPage } from '@/components/instances/overview/overview-page';

async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={overviewData(props)}>
      <OverviewPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}

export default withMessages('/instances/[id]', Page);
