import { pageTitle } from '@/app/page-title';
import { IdlePage } from '@/components/idle/idle-page';

export const generateMetadata = () => pageTitle('idle');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <IdlePage instanceId={decodeURIComponent(id)} />;
}
