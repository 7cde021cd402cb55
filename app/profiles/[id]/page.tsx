import { prefetchProfile } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { ProfilePage } from '@/components/profiles/profile-page';

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Prefetched read={prefetchProfile(params)}>
      <ProfilePage id={decodeURIComponent((await params).id)} />
    </Prefetched>
  );
}
