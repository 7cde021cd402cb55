import { pageTitle } from '@/app/page-title';
import { BigkeysPage } from '@/components/bigkeys/bigkeys-page';

export const generateMetadata = () => pageTitle('bigkeys');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <BigkeysPage instanceId={decodeURIComponent(id)} />;
}
