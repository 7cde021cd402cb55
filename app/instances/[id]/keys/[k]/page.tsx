import { pageTitle } from '@/app/page-title';
import { KeyPage } from '@/components/keys/key-page';

export const generateMetadata = () => pageTitle('keys');

export default async function Page({ params }: { params: Promise<{ id: string; k: string }> }) {
  const { id, k } = await params;
  return <KeyPage instanceId={decodeURIComponent(id)} k={decodeURIComponent(k)} />;
}
