import { pageTitle } from '@/app/page-title';
import { ProfilesPage } from '@/components/profiles/profiles-page';

export const generateMetadata = () => pageTitle('profiles');

export default function Page() {
  return <ProfilesPage />;
}
