import { useTranslations } from 'use-intl';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { figureColumn } from '@/components/data-table/figure-column';
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
    figureColumn('time', t('time'), 'seconds', (price) => price.seconds, { headClassName: 'max-sm:whitespace-normal' }),
    figureColumn('load', t('load'), 'ms', (price) => price.serverMs, { headClassName: 'max-sm:whitespace-normal' }),
    figureColumn('replication', t('replication'), 'bytes', (price) => price.replicationBytes, {
      hide: 'max-sm:hidden',
    }),
    figureColumn('archive', t('archive'), 'bytes', (price) => price.archiveBytes, { hide: 'max-sm:hidden' }),
  ];
  return (
    <Card>
      <CardHeader title={t('prices')} description={t('pricesText')} />
      <DataTable label={t('prices')} columns={columns} rows={plan.prices} rowId={(price) => price.mode} />
    </Card>
  );
}
