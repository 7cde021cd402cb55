import { overviewData, type PageProps } from '@/app/first-data';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { OverviewPage } from '@/components/instances/overview/overview-page';

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={overviewData(props)}>
      <OverviewPage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
