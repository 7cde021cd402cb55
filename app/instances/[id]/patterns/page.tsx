import { pageTitle } from '@/app/page-title';
import { PatternsPage } from '@/components/patterns/patterns-page';

export const generateMetadata = () => pageTitle('patterns');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <PatternsPage instanceId={decodeURIComponent(id)} />;
}
