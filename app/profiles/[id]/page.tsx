import { profileData } from '@/app/first-answers';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { ProfilePage } from '@/components/profiles/profile-page';

export const generateMetadata = () => pageTitle('profiles');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Prefetched read={profileData(params)}>
      <ProfilePage id={decodeURIComponent((await params).id)} />
    </Prefetched>
  );
}
