import { prefetchUsers } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { UsersPage } from '@/components/users/users-page';

export default function Page() {
  return (
    <Prefetched read={prefetchUsers}>
      <UsersPage />
    </Prefetched>
  );
}
