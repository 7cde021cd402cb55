import { OverviewPage } from '@/components/instances/overview/overview-page';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <OverviewPage instanceId={(await params).id} />;
}
