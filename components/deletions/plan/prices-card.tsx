import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { pricesFileUrl } from '@/components/data/queries/use-deletions';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { figureColumn } from '@/components/data-table/figure-column';
import { ListFileMenu } from '@/components/reports/files/file-menu';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import { PRICE_VALUES } from '@/lib/model/reports/list-values';
import { shownOrder } from '@/lib/model/reports/table-order';

type Price = NonNullable<DeletionPlan['prices']>[number];

/** What the same keys would cost in each way, so that the choice is made with its price in sight. */
export function PricesCard({ plan }: { plan: DeletionPlan }) {
  const t = useTranslations('deletions.plan');
  const modes = useTranslations('deletions.mode');
  const [sort, setSort] = useState('');
  const order = shownOrder(PRICE_VALUES, sort, useLocale());
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
    figureColumn('time', t('time'), 'seconds', PRICE_VALUES.time, { headClassName: 'max-sm:whitespace-normal' }),
    figureColumn('load', t('load'), 'ms', PRICE_VALUES.load, { headClassName: 'max-sm:whitespace-normal' }),
    figureColumn('replication', t('replication'), 'bytes', PRICE_VALUES.replication, {
      hide: 'max-sm:hidden',
    }),
    figureColumn('archive', t('archive'), 'bytes', PRICE_VALUES.archive, { hide: 'max-sm:hidden' }),
  ];
  return (
    <Card>
      <CardHeader
        title={t('prices')}
        description={t('pricesText')}
        actions={<ListFileMenu of={t('prices')} href={(format) => pricesFileUrl(plan.id, order, format)} />}
      />
      <DataTable
        label={t('prices')}
        columns={columns}
        rows={plan.prices}
        rowId={(price) => price.mode}
        order={{ sort, onSort: setSort }}
      />
    </Card>
  );
}
