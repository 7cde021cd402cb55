import { prefetchProfiles } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { ProfilesPage } from '@/components/profiles/profiles-page';

export default function Page() {
  return (
    <Prefetched read={prefetchProfiles}>
      <ProfilesPage />
    </Prefetched>
  );
}
