import { prefetchChannels } from '@/app/prefetch-pages';
import { Prefetched } from '@/app/prefetched';
import { ChannelsPage } from '@/components/channels/channels-page';

export default function Page() {
  return (
    <Prefetched read={prefetchChannels}>
      <ChannelsPage />
    </Prefetched>
  );
}
