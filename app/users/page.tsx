import { usersData } from '@/app/first-answers';
import { pageTitle } from '@/app/page-title';
import { withMessages } from '@/app/with-messages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { UsersPage } from '@/components/users/users-page';

export const generateMetadata = () => pageTitle('users');

function Page() {
  return (
    <Prefetched read={usersData}>
      <UsersPage />
    </Prefetched>
  );
}

export default withMessages('/users', Page);
