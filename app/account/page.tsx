import { pageTitle } from '@/app/page-title';
import { withMessages } from '@/app/with-messages';
import { AccountPage } from '@/components/account/account-page';

export const generateMetadata = () => pageTitle('account');

function Page() {
  return <AccountPage />;
}

export default withMessages('/account', Page);
