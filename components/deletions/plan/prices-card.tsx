import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { ValueKind } from '@/components/data/format/value';
import { ValueRange } from '@/components/data/format/value-range';
import { pricesFileUrl } from '@/components/data/queries/use-deletions';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { ListFileMenu } from '@/components/reports/files/file-menu';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import type { DeletionPlan, EstimateRange } from '@/lib/model/deletions/deletion-plan';
import { PRICE_VALUES } from '@/lib/model/reports/list-values';
import { shownOrder } from '@/lib/model/reports/table-order';

type Price = NonNullable<DeletionPlan['prices']>[number];

/** What the same keys would cost in each mode, so that the modes can be compared before choosing. */
export function PricesCard({ plan }: { plan: DeletionPlan }) {
  const t = useTranslations('deletions.plan');
  const modes = useTranslations('deletions.mode');
  const [sort, setSort] = useState('');
  const order = shownOrder(PRICE_VALUES, sort, useLocale());
  if (plan.prices.length === 0 || !('mode' in plan.options)) return null;
  const { mode: chosen } = plan.options;
  const rangeColumn = (
    id: keyof typeof PRICE_VALUES,
    as: ValueKind,
    range: (price: Price) => EstimateRange | null,
    more: Partial<DataColumn<Price>>,
  ): DataColumn<Price> => ({
    ...{ id, header: t(`price.${id}`), num: true, value: PRICE_VALUES[id] },
    cell: (price) => <ValueRange range={range(price)} as={as} />,
    ...more,
  });
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
    rangeColumn('time', 'seconds', ({ seconds }) => seconds, { headClassName: 'max-sm:whitespace-normal' }),
    rangeColumn('load', 'ms', ({ serverMs }) => serverMs, { headClassName: 'max-sm:whitespace-normal' }),
    rangeColumn('replication', 'bytes', (price) => price.replicationBytes, { hide: 'max-sm:hidden' }),
    rangeColumn('archive', 'bytes', ({ archiveBytes }) => archiveBytes, { hide: 'max-sm:hidden' }),
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
