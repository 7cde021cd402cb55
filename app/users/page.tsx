import { pageTitle } from '@/app/page-title';
import { withMessages } from '@/app/with-messages';
import { UsersPage } from '@/components/users/users-page';

export const generateMetadata = () => pageTitle('users');

function Page() {
  return <UsersPage />;
}

export default withMessages('/users', Page);
