import { Flag, GitCompareArrows, Pin, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { addToAddress } from '@/components/data/address/add-to-address';
import { isReadable } from '@/components/data/choose-snapshot';
import { useFormat } from '@/components/data/format/use-format';
import { NotInFile, Value } from '@/components/data/format/value';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useSetBaseline } from '@/components/data/queries/use-comparison';
import type { CurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { usePinSnapshot, useRemoveSnapshot } from '@/components/data/queries/use-snapshots';
import { useErrorText, useErrorToast } from '@/components/data/use-error-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { createFigureColumn } from '@/components/data-table/figure-column';
import { useHere } from '@/components/layout/navigation/use-here';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { useIgnoredFilters } from '@/components/reports/use-ignored-filters';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { Tooltip } from '@/components/ui/overlays/tooltip';
import type { SnapshotSummary } from '@/lib/model/reports/fleet';

const TONES: Record<SnapshotSummary['state'], BadgeTone> = {
  live: 'accent',
  sealed: 'neutral',
  cancelled: 'neutral',
  failed: 'danger',
};

export function SnapshotsCard({ instanceId, current }: { instanceId: string; current: CurrentSnapshot }) {
  const t = useTranslations('overview.snapshots');
  const nav = useTranslations('nav');
  const f = useFormat();
  const errorText = useErrorText();
  const showError = useErrorToast();
  const ignoredFilters = useIgnoredFilters();
  const remove = useRemoveSnapshot();
  const pin = usePinSnapshot();
  const mayRemove = useMay('snapshot.remove', instanceId);
  const mayChoose = useMay('policy.edit', instanceId);
  const compare = useTranslations('compare');
  const { instanceHref } = useHere();
  const [removing, setRemoving] = useState<SnapshotSummary | null>(null);
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
            <Value value={row.startedAt} as="dateTime" />
          </button>
        ) : (
          <Value value={row.startedAt} as="dateTime" className="text-muted-foreground" />
        ),
    },
    {
      id: 'state',
      header: t('stateColumn'),
      value: (row) => row.state,
      cell: (row) => (
        <span className="flex flex-wrap gap-1">
          <Badge tone={TONES[row.state]}>{t(`state.${row.state}`)}</Badge>
          {row.pinned ? <Badge tone="accent">{t('pinned')}</Badge> : null}
          {row.isPart ? <Badge tone="warning">{nav('snapshotPart')}</Badge> : null}
          {row.baseline ? (
            <span title={compare('baseline.badgeHint')}>
              <Badge tone="accent">{compare('baseline.badge')}</Badge>
            </span>
          ) : null}
          {row.state === 'sealed' && row.heldBy && !row.storedAt ? (
            <Tooltip content={row.storeError ?? t('notStoredHint')}>
              <button type="button" data-hint className="cursor-help rounded">
                <Badge tone={row.storeError ? 'warning' : 'neutral'}>
                  {row.storeError ? t('storeFails') : t('notStored', { host: row.heldBy })}
                </Badge>
              </button>
            </Tooltip>
          ) : null}
          {row.id === current.snapshotId ? (
            <NotInFile>
              <Badge tone="outline">{t('shown')}</Badge>
            </NotInFile>
          ) : null}
        </span>
      ),
    },
    createFigureColumn('took', t('took'), 'ms', (row) => row.endedAt && row.endedAt - row.startedAt, {
      hide: 'max-md:hidden',
    }),
    // The progress of a running scan shows how many keys have been read.
    createFigureColumn('keys', t('keys'), 'number', (row) => (row.state === 'live' ? null : row.keys)),
    createFigureColumn('memory', t('memory'), 'bytes', (row) => row.bytes, { hide: 'max-sm:hidden' }),
    createFigureColumn('bigkeys', t('bigkeys'), 'number', (row) => row.bigkeys, { hide: 'max-md:hidden' }),
    createFigureColumn('file', t('file'), 'bytes', (row) => row.fileBytes, { hide: 'max-md:hidden' }),
    {
      id: 'actions',
      header: t('actions'),
      quiet: true,
      className: 'w-px text-right',
      cell: (row) => (
        <span className="inline-flex items-center justify-end gap-0.5">
          {row.state === 'sealed' && row.id !== current.snapshotId && current.snapshotId !== null ? (
            <Button variant="ghost" size="iconXs" asChild>
              <Link
                href={addToAddress(instanceHref(instanceId, '/compare'), { with: row.id })}
                aria-label={t('compare', { time: f.dateTime(row.startedAt) })}
                title={t('compare', { time: f.dateTime(row.startedAt) })}
              >
                <GitCompareArrows aria-hidden />
              </Link>
            </Button>
          ) : null}
          {mayChoose && row.state === 'sealed' && !row.partial && !row.isPart ? (
            <BaselineButton instanceId={instanceId} row={row} />
          ) : null}
          {mayRemove && row.state === 'sealed' ? (
            <Button
              variant="ghost"
              size="iconXs"
              aria-pressed={row.pinned === true}
              aria-label={t('pin', { time: f.dateTime(row.startedAt) })}
              title={t('pinHint')}
              onClick={() => pin.mutate({ id: row.id, pinned: !row.pinned }, { onError: showError })}
            >
              <Pin aria-hidden className={row.pinned ? 'fill-current text-accent' : undefined} />
            </Button>
          ) : null}
          {row.state === 'live' || !mayRemove ? null : (
            <Button
              variant="ghost"
              size="iconXs"
              aria-label={t('remove', { time: f.dateTime(row.startedAt) })}
              onClick={() => setRemoving(row)}
            >
              <Trash2 aria-hidden />
            </Button>
          )}
        </span>
      ),
    },
  ];
  if (current.snapshots.length === 0) return null;
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={ignoredFilters}
        actions={<OneTableMenu id="snapshots" name={t('title')} />}
      />
      <DataTable
        id="snapshots"
        label={t('tableLabel')}
        columns={columns}
        rows={current.snapshots}
        rowId={(row) => row.id}
      />
      {removing ? (
        <ConfirmDialog
          title={t('removeTitle')}
          text={t('removeText', { time: f.dateTime(removing.startedAt) })}
          confirm={t('removeYes')}
          busy={remove.isPending}
          onClose={() => setRemoving(null)}
          onConfirm={() =>
            remove.mutate(removing.id, {
              onSuccess: () => {
                if (removing.id === current.snapshotId) current.select(null);
                setRemoving(null);
                toast.success(t('removed'));
              },
              onError: (error) => void toast.error(errorText(error).title),
            })
          }
        />
      ) : null}
    </Card>
  );
}

/** Makes a snapshot the baseline of its instance, or ends that. */
function BaselineButton({ instanceId, row }: { instanceId: string; row: SnapshotSummary }) {
  const t = useTranslations('compare.baseline');
  const errorText = useErrorText();
  const choose = useSetBaseline(instanceId);
  const label = t(row.baseline ? 'clear' : 'set');
  return (
    <Button
      variant="ghost"
      size="iconXs"
      aria-label={label}
      title={label}
      aria-pressed={row.baseline === true}
      busy={choose.isPending}
      onClick={() =>
        choose.mutate(row.baseline ? null : row.id, {
          onSuccess: () => void toast.success(t(row.baseline ? 'cleared' : 'done')),
          onError: (error) => void toast.error(errorText(error).title),
        })
      }
    >
      <Flag aria-hidden className={row.baseline ? 'text-accent' : undefined} />
    </Button>
  );
}
