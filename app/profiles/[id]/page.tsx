import { pageTitle } from '@/app/page-title';
import { ProfilePage } from '@/components/profiles/profile-page';

export const generateMetadata = () => pageTitle('profiles');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <ProfilePage id={decodeURIComponent((await params).id)} />;
}
