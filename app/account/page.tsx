import { pageTitle } from '@/app/page-title';
import { AccountPage } from '@/components/account/account-page';

export const generateMetadata = () => pageTitle('account');

export default function Page() {
  return <AccountPage />;
}
