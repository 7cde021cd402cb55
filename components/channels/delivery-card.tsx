import { useTranslations } from 'use-intl';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useFormat } from '@/components/data/format/use-format';
import { Loaded } from '@/components/data/loaded';
import { useDeliveries } from '@/components/data/queries/alerts/use-channels';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Delivery, DeliveryState } from '@/lib/model/alerts/alert';
import type { Channel } from '@/lib/model/alerts/channel';

const TONES: Record<DeliveryState, BadgeTone> = {
  waiting: 'outline',
  sent: 'success',
  failed: 'danger',
  replaced: 'neutral',
};

/** The newest messages to a channel, and how each went. */
export function DeliveryCard({ channel }: { channel: Channel }) {
  const t = useTranslations('channels.delivery');
  const f = useFormat();
  const deliveries = useDeliveries(channel.id);
  const columns: DataColumn<Delivery>[] = [
    {
      id: 'created',
      header: t('created'),
      className: 'whitespace-nowrap align-top',
      value: ({ createdAt }) => createdAt,
      descFirst: true,
      cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
    },
    {
      id: 'what',
      header: t('what'),
      className: 'min-w-24 align-top [overflow-wrap:anywhere]',
      cell: ({ reason, items, team }) => (
        <>
          <p>{reason === 'test' ? t('test') : t(`reason.${reason}`, { count: items })}</p>
          {team === null ? null : (
            <p className="text-muted-foreground text-xs">
              <bdi>{toVisibleText(team)}</bdi>
            </p>
          )}
        </>
      ),
    },
    {
      id: 'state',
      header: t('state'),
      className: 'min-w-28 align-top [overflow-wrap:anywhere]',
      value: ({ state }) => state,
      cell: (delivery) => (
        <div className="space-y-1">
          <Badge tone={TONES[delivery.state]}>{t(`states.${delivery.state}`)}</Badge>
          {delivery.lastCode === null ? null : (
            <p className="text-muted-foreground text-xs">
              <bdi>
                {delivery.lastCode}: {delivery.lastText}
              </bdi>
            </p>
          )}
        </div>
      ),
    },
    {
      id: 'tries',
      header: t('tries'),
      hide: 'max-sm:hidden',
      num: true,
      className: 'align-top',
      value: ({ tries }) => tries,
      cell: ({ tries }) => f.number(tries),
    },
    {
      id: 'due',
      header: t('due'),
      hide: 'max-sm:hidden',
      className: 'whitespace-nowrap align-top',
      cell: ({ state, dueAt, sentAt }) =>
        state === 'waiting' ? f.dateTime(dueAt) : sentAt === null ? '—' : f.dateTime(sentAt),
    },
  ];
  return (
    <Card>
      <CardHeader title={t('title', { name: toVisibleText(channel.name) })} description={t('text')} />
      <Loaded query={deliveries} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="px-4 py-6 text-muted-foreground text-sm">{t('none')}</p>
          ) : (
            <DataTable
              id="deliveries"
              label={t('title', { name: channel.name })}
              columns={columns}
              rows={rows}
              rowId={({ id }) => id}
              first={20}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
