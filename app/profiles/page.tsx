import { prefetchProfiles } from '@/app/prefetch-pages';
import { Prefetched } from '@/components/data/first-html/prefetched';
import { ProfilesPage } from '@/components/profiles/profiles-page';

export default function Page() {
  return (
    <Prefetched read={prefetchProfiles}>
      <ProfilesPage />
    </Prefetched>
  );
}
