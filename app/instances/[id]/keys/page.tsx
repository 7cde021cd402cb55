import { pageTitle } from '@/app/page-title';
import { KeysPage } from '@/components/keys/keys-page';

export const generateMetadata = () => pageTitle('keys');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <KeysPage instanceId={decodeURIComponent(id)} />;
}
