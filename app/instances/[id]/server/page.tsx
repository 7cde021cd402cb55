import { ServerPage } from '@/components/instances/server-page';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <ServerPage instanceId={(await params).id} />;
}
