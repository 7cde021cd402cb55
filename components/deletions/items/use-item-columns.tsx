import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { STATE_TONES } from '@/components/deletions/state-tones';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { KeyName } from '@/components/ui/key-name';
import { ProgressBar } from '@/components/ui/progress';
import { TypeBadge } from '@/components/ui/type-badge';
import type { DeletionItem } from '@/lib/model/deletions/deletion-item';
import type { ItemState } from '@/lib/model/deletions/item-states';

/** States between the first and the last command of a key. No time limit ends them: they can be undone at any time. */
const UNFINISHED_STATES = new Set<ItemState>(['tombstoned', 'draining', 'needs_review']);

/**
 * The columns of the keys of a plan or deletion. None is sortable: the server sends one page at a time in the order of
 * the plan, and sorting only that page would be misleading.
 */
export function useItemColumns(options: {
  planned: boolean;
  expire: boolean;
  onUndo?: (seq: number, name: string) => void;
}): DataColumn<DeletionItem>[] {
  const t = useTranslations('deletions');
  const f = useFormat();
  const { planned, expire, onUndo } = options;
  const getExpiry = (item: DeletionItem) => (expire ? item.newExpireAt : item.expireAt);
  const columns: DataColumn<DeletionItem>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      className: 'w-full min-w-32 max-w-0 sm:min-w-44',
      cell: (item) => <KeyName name={item.name} max={70} copy />,
    },
    {
      id: 'type',
      header: t('columns.type'),
      hide: 'max-sm:hidden',
      cell: (item) => (item.type ? <TypeBadge type={item.type} /> : <Value value={null} as="number" />),
    },
    {
      id: 'length',
      header: t('columns.length'),
      num: true,
      hide: onUndo ? 'max-sm:hidden' : undefined,
      cell: (item) => <Value value={item.length} as={item.type === 'string' ? 'bytes' : 'number'} />,
    },
    {
      id: 'bytes',
      header: t('columns.bytes'),
      num: true,
      hide: 'max-md:hidden',
      cell: (item) => <Value value={item.bytes} as="bytes" />,
    },
    {
      id: 'ttl',
      header: t('columns.ttl'),
      num: true,
      hide: 'max-lg:hidden',
      className: 'whitespace-nowrap',
      cell: (item) =>
        getExpiry(item) === null && item.expiryKnown ? '∞' : <Value value={getExpiry(item)} as="dateTime" />,
    },
  ];
  if (planned)
    columns.push({
      id: 'idle',
      header: t('columns.idle'),
      num: true,
      hide: 'max-lg:hidden',
      cell: (item) => <Value value={item.idleSeconds} as="seconds" />,
    });
  if (!expire)
    columns.push({
      id: 'mode',
      header: t('columns.mode'),
      hide: 'max-md:hidden',
      className: 'whitespace-nowrap',
      cell: (item) => (item.mode ? t(`mode.${item.mode}.name`) : '—'),
    });
  if (!planned)
    columns.push({
      id: 'state',
      header: t('columns.state'),
      cell: (item) => (
        <div className="space-y-0.5">
          <Badge tone={STATE_TONES[item.state] ?? 'neutral'}>
            {t(`item.${expire && item.state === 'done' ? 'expired' : item.state}`)}
          </Badge>
          {item.state === 'draining' && item.length ? (
            <ProgressBar
              value={Math.min(1, item.removed / item.length)}
              label={t('live.of', { done: f.number(item.removed), total: f.number(item.length) })}
              tone="accent"
              className="h-1"
            />
          ) : null}
        </div>
      ),
    });
  if (onUndo)
    columns.push({
      id: 'actions',
      header: t('columns.actions'),
      quiet: true,
      className: 'w-px',
      cell: (item) =>
        item.undoUntil !== null || UNFINISHED_STATES.has(item.state) ? (
          <Button
            size="xs"
            aria-label={t('result.undoOne', { name: item.name })}
            onClick={() => onUndo(item.seq, item.name)}
          >
            {t('result.undoShort')}
          </Button>
        ) : null,
    });
  return columns;
}
