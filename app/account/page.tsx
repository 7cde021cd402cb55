import { prefetchAccount } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { AccountPage } from '@/components/account/account-page';

export default function Page() {
  return (
    <Prefetched read={prefetchAccount}>
      <AccountPage />
    </Prefetched>
  );
}
