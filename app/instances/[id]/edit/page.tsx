import { withMessages } from '@/app/with-messages';
import { EditPage } from '@/components/instances/registration/edit-page';

async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <EditPage id={(await params).id} />;
}

export default withMessages('/instances/[id]/edit', Page);
