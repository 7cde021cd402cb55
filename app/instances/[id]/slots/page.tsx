import { pageTitle } from '@/app/page-title';
import { SlotsPage } from '@/components/slots/slots-page';

export const generateMetadata = () => pageTitle('slots');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <SlotsPage instanceId={decodeURIComponent(id)} />;
}
