import { CircleCheck } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ShareBar } from '@/components/charts/share-bar';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { levelFilter } from '@/components/reports/filter/level-filter';
import { PrefixName } from '@/components/reports/prefix-name';
import { useReportHref } from '@/components/reports/use-report-href';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import type { TtlReport } from '@/lib/model/reports/reports';

export function TtlNoExpiry({ instanceId, report }: { instanceId: string; report: TtlReport }) {
  const t = useTranslations('ttl');
  const f = useFormat();
  const href = useReportHref(instanceId);
  const columns: DataColumn<TtlReport['noExpiryByPrefix'][number]>[] = [
    {
      id: 'prefix',
      header: t('column.prefix'),
      value: (row) => row.prefix,
      className: 'w-full max-w-0',
      cell: (row) => (
        <PrefixName prefix={row.prefix} href={href('keys', { ...levelFilter(row.prefix), expiry: 'none' })} />
      ),
    },
    {
      id: 'keys',
      header: t('column.keys'),
      num: true,
      value: (row) => row.keys,
      cell: (row) => <Value value={row.keys} as="number" />,
    },
    {
      id: 'bytes',
      header: t('column.bytes'),
      num: true,
      value: (row) => row.bytes,
      cell: (row) => <Value value={row.bytes} as="bytes" />,
    },
    {
      id: 'share',
      header: t('column.share'),
      descFirst: true,
      value: (row) => row.share,
      cell: (row) => (
        <span className="flex items-center gap-2">
          <span className="w-12 max-sm:hidden">
            <ShareBar share={row.share} color="--warning-solid" />
          </span>
          <span className="num w-11 text-right text-muted-foreground text-xs">{f.share(row.share)}</span>
        </span>
      ),
    },
  ];
  return (
    <Card>
      <CardHeader title={t('noExpiry')} description={t('noExpiryHint')} />
      {report.noExpiryByPrefix.length === 0 ? (
        <EmptyState icon={CircleCheck} title={t('noExpiryEmpty')} />
      ) : (
        <DataTable
          label={t('noExpiry')}
          className="max-h-80 overflow-y-auto"
          columns={columns}
          rows={report.noExpiryByPrefix}
          rowId={(row) => row.prefix}
        />
      )}
    </Card>
  );
}
