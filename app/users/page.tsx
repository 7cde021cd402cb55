import { pageTitle } from '@/app/page-title';
import { UsersPage } from '@/components/users/users-page';

export const generateMetadata = () => pageTitle('users');

export default function Page() {
  return <UsersPage />;
}
