import { EditPage } from '@/components/instances/registration/edit-page';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <EditPage id={(await params).id} />;
}
