import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { isReadable } from '@/components/data/choose-snapshot';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import type { CurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { useRemoveSnapshot } from '@/components/data/queries/use-snapshots';
import { useErrorText } from '@/components/data/use-error-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/overlays/dialog';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';

const TONES: Record<SnapshotSummary['state'], BadgeTone> = {
  live: 'accent',
  sealed: 'neutral',
  cancelled: 'neutral',
  failed: 'danger',
};

export function SnapshotsCard({ instanceId, current }: { instanceId: string; current: CurrentSnapshot }) {
  const t = useTranslations('overview.snapshots');
  const ui = useTranslations('ui');
  const f = useFormat();
  const errorText = useErrorText();
  const remove = useRemoveSnapshot(instanceId);
  const [asked, setAsked] = useState<SnapshotSummary | null>(null);
  const took = (row: SnapshotSummary) => (row.endedAt === null ? null : row.endedAt - row.startedAt);
  const columns: DataColumn<SnapshotSummary>[] = [
    {
      id: 'started',
      header: t('started'),
      descFirst: true,
      value: (row) => row.startedAt,
      className: 'num max-sm:whitespace-normal',
      cell: (row) =>
        isReadable(row) ? (
          <button
            type="button"
            onClick={() => current.select(row.id)}
            className="rounded hover:text-accent hover:underline"
          >
            {f.dateTime(row.startedAt)}
          </button>
        ) : (
          <span className="text-muted-foreground">{f.dateTime(row.startedAt)}</span>
        ),
    },
    {
      id: 'state',
      header: t('stateColumn'),
      value: (row) => t(`state.${row.state}`),
      cell: (row) => (
        <span className="flex flex-wrap gap-1">
          <Badge tone={TONES[row.state]}>{t(`state.${row.state}`)}</Badge>
          {row.id === current.snapshotId ? <Badge tone="outline">{t('shown')}</Badge> : null}
        </span>
      ),
    },
    {
      id: 'took',
      header: t('took'),
      num: true,
      hide: 'max-md:hidden',
      value: took,
      cell: (row) => <Value value={took(row)} as="ms" />,
    },
    {
      id: 'keys',
      header: t('keys'),
      num: true,
      value: (row) => row.keys,
      cell: (row) => <Value value={row.keys} as="number" />,
    },
    {
      id: 'memory',
      header: t('memory'),
      num: true,
      hide: 'max-sm:hidden',
      value: (row) => row.bytes,
      cell: (row) => <Value value={row.bytes} as="bytes" />,
    },
    {
      id: 'bigkeys',
      header: t('bigkeys'),
      num: true,
      hide: 'max-md:hidden',
      value: (row) => row.bigkeys,
      cell: (row) => <Value value={row.bigkeys} as="number" />,
    },
    {
      id: 'file',
      header: t('file'),
      num: true,
      hide: 'max-md:hidden',
      value: (row) => row.fileBytes,
      cell: (row) => <Value value={row.fileBytes} as="bytes" />,
    },
    {
      id: 'actions',
      header: t('actions'),
      quiet: true,
      className: 'w-px text-right',
      cell: (row) =>
        row.state === 'live' ? null : (
          <Button
            variant="ghost"
            size="iconXs"
            aria-label={t('remove', { time: f.dateTime(row.startedAt) })}
            onClick={() => setAsked(row)}
          >
            <Trash2 aria-hidden />
          </Button>
        ),
    },
  ];
  if (current.snapshots.length === 0) return null;
  return (
    <Card>
      <CardHeader title={t('title')} />
      <DataTable label={t('tableLabel')} columns={columns} rows={current.snapshots} rowId={(row) => row.id} />
      <Dialog open={asked !== null} onOpenChange={(open) => !open && setAsked(null)}>
        {asked ? (
          <DialogContent
            title={t('removeTitle')}
            description={t('removeText', { time: f.dateTime(asked.startedAt) })}
            footer={
              <>
                <DialogClose asChild>
                  <Button>{ui('cancel')}</Button>
                </DialogClose>
                <Button
                  variant="danger"
                  busy={remove.isPending}
                  onClick={() =>
                    remove.mutate(asked.id, {
                      onSuccess: () => {
                        if (asked.id === current.snapshotId) current.select(null);
                        setAsked(null);
                        toast.success(t('removed'));
                      },
                      onError: (error) => void toast.error(errorText(error).title),
                    })
                  }
                >
                  {t('removeYes')}
                </Button>
              </>
            }
          />
        ) : null}
      </Dialog>
    </Card>
  );
}
