import { accountData } from '@/app/first-answers';
import { pageTitle } from '@/app/page-title';
import { AccountPage } from '@/components/account/account-page';
import { Prefetched } from '@/components/data/first-html/prefetched';

export const generateMetadata = () => pageTitle('account');

export default function Page() {
  return (
    <Prefetched read={accountData}>
      <AccountPage />
    </Prefetched>
  );
}
