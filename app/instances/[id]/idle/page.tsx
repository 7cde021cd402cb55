import { type PageProps, reportData } from '@/app/first-data';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { IdlePage } from '@/components/idle/idle-page';

export const generateMetadata = () => pageTitle('idle');

export default async function Page(props: PageProps) {
  const { id } = await props.params;
  return (
    <Prefetched read={reportData(props, 'idle')}>
      <IdlePage instanceId={decodeURIComponent(id)} />
    </Prefetched>
  );
}
