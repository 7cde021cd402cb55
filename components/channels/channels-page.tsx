'use client';
import { BellRing, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { Loaded } from '@/components/data/loaded';
import { May } from '@/components/data/may';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useChannels } from '@/components/data/queries/alerts/use-channels';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { PageHeader } from '@/components/ui/page-header';
import type { Channel } from '@/lib/model/alerts/channel';
import { ChannelTable } from './channel-table';

const ChannelDialog = createLazyPart(() => import('./channel-dialog').then((loaded) => loaded.ChannelDialog));
const DeliveryCard = createLazyPart(() => import('./delivery-card').then((loaded) => loaded.DeliveryCard));

/** Where alerts are sent, and how that went. */
export function ChannelsPage() {
  const t = useTranslations('channels');
  const channels = useChannels(useMay('instance.manage'));
  const [editing, setEditing] = useState<Channel | 'new' | null>(null);
  const [logged, setLogged] = useState<string | null>(null);
  const shown = channels.data?.find(({ id }) => id === logged);
  const add = (
    <Button variant="primary" onClick={() => setEditing('new')}>
      <Plus aria-hidden />
      {t('add')}
    </Button>
  );
  return (
    <div className="space-y-4">
      <PageHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <May permission="instance.manage" reason>
            {add}
          </May>
        }
      />
      <May permission="instance.manage">
        <EachCard>
          <Card>
            <Loaded query={channels} rows={3}>
              {(rows) =>
                rows.length === 0 ? (
                  <EmptyState icon={BellRing} title={t('none')} className="py-20">
                    {t('noneText')}
                  </EmptyState>
                ) : (
                  <ChannelTable channels={rows} onEdit={setEditing} onLog={setLogged} />
                )
              }
            </Loaded>
          </Card>
          {shown ? <DeliveryCard key={shown.id} channel={shown} /> : null}
        </EachCard>
      </May>
      {editing ? (
        <ChannelDialog
          channel={editing === 'new' ? null : editing}
          isFirst={channels.data?.length === 0}
          onClose={() => setEditing(null)}
        />
      ) : null}
    </div>
  );
}
