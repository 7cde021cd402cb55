import { useTranslations } from 'use-intl';
import { Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';

type Price = NonNullable<DeletionPlan['prices']>[number];

/** What the same keys would cost in each way, so that the choice is made with its price in sight. */
export function PricesCard({ plan }: { plan: DeletionPlan }) {
  const t = useTranslations('deletions.plan');
  const modes = useTranslations('deletions.mode');
  if (!plan.prices?.length || !('mode' in plan.options)) return null;
  const { mode: chosen } = plan.options;
  const columns: DataColumn<Price>[] = [
    {
      id: 'mode',
      header: t('ways'),
      className: 'sm:whitespace-nowrap',
      cell: ({ mode }) => (
        <>
          <span className={mode === chosen ? 'font-medium' : undefined}>{modes(`${mode}.name`)}</span>{' '}
          {mode === chosen ? <Badge tone="accent">{t('chosen')}</Badge> : null}
        </>
      ),
    },
    {
      id: 'undo',
      header: t('undo'),
      hide: 'max-md:hidden',
      className: 'text-muted-foreground',
      cell: ({ mode }) => modes(`${mode}.undo`),
    },
    {
      id: 'time',
      header: t('time'),
      num: true,
      headClassName: 'max-sm:whitespace-normal',
      value: (price) => price.seconds,
      cell: (price) => <Value value={price.seconds} as="seconds" />,
    },
    {
      id: 'load',
      header: t('load'),
      num: true,
      headClassName: 'max-sm:whitespace-normal',
      value: (price) => price.serverMs,
      cell: (price) => <Value value={price.serverMs} as="ms" />,
    },
    {
      id: 'replication',
      header: t('replication'),
      num: true,
      hide: 'max-sm:hidden',
      value: (price) => price.replicationBytes,
      cell: (price) => <Value value={price.replicationBytes} as="bytes" />,
    },
    {
      id: 'archive',
      header: t('archive'),
      num: true,
      hide: 'max-sm:hidden',
      value: (price) => price.archiveBytes,
      cell: (price) => <Value value={price.archiveBytes} as="bytes" />,
    },
  ];
  return (
    <Card>
      <CardHeader title={t('prices')} description={t('pricesText')} />
      <DataTable label={t('prices')} columns={columns} rows={plan.prices} rowId={(price) => price.mode} />
    </Card>
  );
}
