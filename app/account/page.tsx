import { prefetchAccount } from '@/app/prefetch-pages';
import { AccountPage } from '@/components/account/account-page';
import { Prefetched } from '@/components/data/first-html/prefetched';

export default function Page() {
  return (
    <Prefetched read={prefetchAccount}>
      <AccountPage />
    </Prefetched>
  );
}
