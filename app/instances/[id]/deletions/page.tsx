import { deletionsData } from '@/app/first-answers';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { DeletionsPage } from '@/components/deletions/deletions-page';

export const generateMetadata = () => pageTitle('deletions');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Prefetched read={deletionsData(params)}>
      <DeletionsPage instanceId={decodeURIComponent((await params).id)} />
    </Prefetched>
  );
}
