import { pageTitle } from '@/app/page-title';
import { TypesPage } from '@/components/types/types-page';

export const generateMetadata = () => pageTitle('types');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <TypesPage instanceId={decodeURIComponent(id)} />;
}
