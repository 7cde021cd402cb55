import { usersData } from '@/app/first-answers';
import { pageTitle } from '@/app/page-title';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { UsersPage } from '@/components/users/users-page';

export const generateMetadata = () => pageTitle('users');

export default function Page() {
  return (
    <Prefetched read={usersData}>
      <UsersPage />
    </Prefetched>
  );
}
