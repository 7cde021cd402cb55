import { profilesData } from '@/app/first-answers';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { ProfilesPage } from '@/components/profiles/profiles-page';

export const generateMetadata = () => pageTitle('profiles');

export default function Page() {
  return (
    <Prefetched read={profilesData}>
      <ProfilesPage />
    </Prefetched>
  );
}
