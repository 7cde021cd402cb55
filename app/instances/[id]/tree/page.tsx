import { pageTitle } from '@/app/page-title';
import { TreePage } from '@/components/tree/tree-page';

export const generateMetadata = () => pageTitle('tree');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <TreePage instanceId={decodeURIComponent(id)} />;
}
