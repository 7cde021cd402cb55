import { pageTitle } from '@/app/page-title';
import { withMessages } from '@/app/with-messages';
import { DeletionPage } from '@/components/deletions/deletion-page';

export const generateMetadata = () => pageTitle('deletions');

async function Page({ params }: { params: Promise<{ id: string; deletion: string }> }) {
  const { id, deletion } = await params;
  return <DeletionPage instanceId={decodeURIComponent(id)} id={decodeURIComponent(deletion)} />;
}

export default withMessages('/instances/[id]/deletions/[deletion]', Page);
