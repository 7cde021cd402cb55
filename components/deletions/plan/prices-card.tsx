import { useTranslations } from 'use-intl';
import type { ValueKind } from '@/components/data/format/value';
import { NotInFile } from '@/components/data/format/value';
import { ValueRange } from '@/components/data/format/value-range';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import type { DeletionPlan, EstimateRange } from '@/lib/model/deletions/deletion-plan';

type Price = DeletionPlan['prices'][number];

/** Shows what the same keys would cost in each mode, so that the modes can be compared before choosing. */
export function PricesCard({ plan }: { plan: DeletionPlan }) {
  const t = useTranslations('deletions.plan');
  const modes = useTranslations('deletions.mode');
  if (plan.prices.length === 0 || !('mode' in plan.options)) return null;
  const { mode: chosen } = plan.options;
  const createRangeColumn = (
    id: 'time' | 'load' | 'replication' | 'archive',
    as: ValueKind,
    range: (price: Price) => EstimateRange | null,
    more: Partial<DataColumn<Price>>,
  ): DataColumn<Price> => ({
    ...{ id, header: t(`price.${id}`), num: true, value: (price) => range(price)?.to },
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
          {mode === chosen ? (
            <NotInFile>
              <Badge tone="accent">{t('chosen')}</Badge>
            </NotInFile>
          ) : null}
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
    createRangeColumn('time', 'seconds', ({ seconds }) => seconds, { headClassName: 'max-sm:whitespace-normal' }),
    createRangeColumn('load', 'ms', ({ serverMs }) => serverMs, { headClassName: 'max-sm:whitespace-normal' }),
    createRangeColumn('replication', 'bytes', (price) => price.replicationBytes, { hide: 'max-sm:hidden' }),
    createRangeColumn('archive', 'bytes', ({ archiveBytes }) => archiveBytes, { hide: 'max-sm:hidden' }),
  ];
  return (
    <Card>
      <CardHeader
        title={t('prices')}
        description={t('pricesText')}
        actions={<OneTableMenu id="prices" name={t('prices')} />}
      />
      <DataTable id="prices" label={t('prices')} columns={columns} rows={plan.prices} rowId={(price) => price.mode} />
    </Card>
  );
}
