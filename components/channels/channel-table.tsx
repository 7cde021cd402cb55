import { History, Pencil, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useRemoveChannel, useTestChannel } from '@/components/data/queries/alerts/use-channels';
import { useErrorToast } from '@/components/data/use-error-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Channel } from '@/lib/model/alerts/channel';

export function ChannelTable(props: {
  channels: Channel[];
  onEdit: (channel: Channel) => void;
  /** Shows the log of the channel with this id. */
  onLog: (id: string) => void;
}) {
  const t = useTranslations('channels');
  const [removing, setRemoving] = useState<Channel | null>(null);
  const columns: DataColumn<Channel>[] = [
    {
      id: 'name',
      header: t('column.name'),
      className: 'min-w-28 align-top [overflow-wrap:anywhere]',
      value: ({ name }) => name,
      cell: (channel) => (
        <>
          <p className="font-medium">
            <bdi>{toVisibleText(channel.name)}</bdi>
          </p>
          <p className="text-muted-foreground text-xs">
            {t(`kind.${channel.kind}`)} · <bdi>{channel.shownUrl ?? channel.smtp?.host}</bdi>
          </p>
        </>
      ),
    },
    {
      id: 'receives',
      header: t('column.receives'),
      hide: 'max-sm:hidden',
      className: 'align-top [overflow-wrap:anywhere]',
      cell: (channel) => <Receives channel={channel} />,
    },
    {
      id: 'health',
      header: t('column.health'),
      className: 'align-top',
      cell: (channel) => <Health channel={channel} />,
    },
    {
      id: 'actions',
      header: t('column.actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap max-sm:whitespace-normal align-top',
      cell: (channel) => (
        <>
          <TestButton channel={channel} onLog={props.onLog} />
          <IconButton label={t('log', { name: channel.name })} onClick={() => props.onLog(channel.id)}>
            <History aria-hidden />
          </IconButton>
          <IconButton label={t('edit', { name: channel.name })} onClick={() => props.onEdit(channel)}>
            <Pencil aria-hidden />
          </IconButton>
          <IconButton label={t('remove', { name: channel.name })} onClick={() => setRemoving(channel)}>
            <Trash2 aria-hidden />
          </IconButton>
        </>
      ),
    },
  ];
  return (
    <>
      <DataTable id="channels" label={t('title')} columns={columns} rows={props.channels} rowId={({ id }) => id} />
      {removing ? <RemoveChannel channel={removing} onClose={() => setRemoving(null)} /> : null}
    </>
  );
}

const IconButton = ({ label, ...props }: { label: string; onClick: () => void; children: React.ReactNode }) => (
  <Button variant="ghost" size="iconSm" aria-label={label} title={label} {...props} />
);

/** Whose alerts a channel receives, and when. */
function Receives({ channel: { isDefault, teams, digestAt, zone } }: { channel: Channel }) {
  const t = useTranslations('channels');
  const names = [...teams.map(toVisibleText), ...(isDefault ? [t('allOthers')] : [])];
  return (
    <>
      <p>{names.join(', ') || t('nobody')}</p>
      {digestAt === null ? null : (
        <p className="text-muted-foreground text-xs">{t('dailyAt', { time: digestAt, zone })}</p>
      )}
    </>
  );
}

function Health({ channel: { on, failingSince, lastSentAt, lastError } }: { channel: Channel }) {
  const t = useTranslations('channels.health');
  if (!on) return <Badge>{t('off')}</Badge>;
  if (failingSince !== null)
    return (
      <div className="space-y-1">
        <Badge tone="danger">{t('failing')}</Badge>
        <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">
          <TimeAgo at={failingSince} /> · <bdi>{lastError}</bdi>
        </p>
      </div>
    );
  if (lastSentAt === null) return <Badge tone="outline">{t('unused')}</Badge>;
  return (
    <div className="space-y-1">
      <Badge tone="success">{t('works')}</Badge>
      <p className="text-muted-foreground text-xs">
        <TimeAgo at={lastSentAt} />
      </p>
    </div>
  );
}

function TestButton({ channel, onLog }: { channel: Channel; onLog: (id: string) => void }) {
  const t = useTranslations('channels');
  const test = useTestChannel();
  const onError = useErrorToast();
  return (
    <Button
      size="sm"
      busy={test.isPending}
      aria-label={t('testOne', { name: channel.name })}
      onClick={() => test.mutate(channel.id, { onError, onSuccess: () => onLog(channel.id) })}
    >
      <Send aria-hidden />
      {t('test')}
    </Button>
  );
}

function RemoveChannel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const t = useTranslations('channels');
  const remove = useRemoveChannel();
  const onError = useErrorToast();
  return (
    <ConfirmDialog
      title={t('sure', { name: channel.name })}
      text={t('sureText')}
      confirm={t('removeIt')}
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate(channel.id, { onError, onSettled: onClose })}
    />
  );
}
