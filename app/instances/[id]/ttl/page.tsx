import { pageTitle } from '@/app/page-title';
import { TtlPage } from '@/components/ttl/ttl-page';

export const generateMetadata = () => pageTitle('ttl');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <TtlPage instanceId={decodeURIComponent(id)} />;
}
