import { profilesData } from '@/app/first-answers';
import { pageTitle } from '@/app/page-title';
import { withMessages } from '@/app/with-messages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { ProfilesPage } from '@/components/profiles/profiles-page';

export const generateMetadata = () => pageTitle('profiles');

function Page() {
  return (
    <Prefetched read={profilesData}>
      <ProfilesPage />
    </Prefetched>
  );
}

export default withMessages('/profiles', Page);
